import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { type MailSettings, mailSettingsOf, readConfig } from '../../src/config.ts';
import { checkMailServer } from '../../src/mail/check.ts';
import { serverWords } from '../../src/mail/results.ts';
import { createMailTransport } from '../../src/mail/transport.ts';
import { endsWithTest } from '../harness/endsWithTest.ts';
import { mailUser, Reply, startMailServer } from '../harness/mailServer.ts';

type Settings = Pick<MailSettings, 'server' | 'from'>;

function settingsOf(environment: Record<string, string>): Settings {
  const settings = mailSettingsOf(readConfig(environment));
  if (settings === undefined) throw new Error('mail is off');
  return settings;
}

/** As a server on another machine is spoken to. */
const byStartTls = (port: number, host = 'localhost'): Settings => ({
  server: { host, port, tls: 'required', credentials: undefined },
  from: { name: undefined, address: 'hushpush@acme.example' },
});

const mail = { id: 'notice_1', to: 'bob@example.com', subject: 'Grüße', text: 'tulip', html: '<p>tulip</p>' };

/** A server that speaks as it is told to: `heard` gets each line, and what comes after DATA. */
async function startScripted(heard: (line: string, socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      for (const line of String(chunk).split('\r\n').filter(Boolean)) heard(line, socket);
    });
    socket.write('220 test\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: endsWithTest(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    }),
  };
}

const plainTo = (port: number) =>
  settingsOf({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'a@acme.example' });

describe('A mail', () => {
  it('goes to its address, in two parts, with an id that stays the same and nothing to answer to', async () => {
    const server = await startMailServer();
    const transport = createMailTransport(settingsOf(server.settings));
    for (const thread of [undefined, 'push_7', 'push_7'])
      expect((await transport.send({ ...mail, thread })).outcome).to.equal('handedOver');
    await transport.close();
    const [first, ...threaded] = server.mails;
    expect(first?.envelope).to.deep.equal({ from: 'hushpush@acme.example', to: ['bob@example.com'] });
    expect(first).to.deep.include({ subject: 'Grüße', messageId: '<notice_1@acme.example>' });
    expect(first?.from?.text).to.equal('"Acme" <hushpush@acme.example>');
    expect(first?.text?.trim()).to.equal('tulip');
    expect(first?.html).to.include('<p>tulip</p>');
    expect(first?.headers.get('auto-submitted')).to.equal('auto-generated');
    expect(first?.headers.get('x-auto-response-suppress')).to.equal('All');
    expect(first?.references).to.equal(undefined);
    for (const each of threaded) {
      expect(each.references).to.equal('<push_7@acme.example>');
      expect(each.messageId).to.equal('<notice_1@acme.example>');
    }
    expect(server.counts().connections, 'one after the other').to.equal(1);
  });

  it('finds what it needs loaded once its transport is prepared, which connects to nothing', async () => {
    const server = await startMailServer();
    const transport = createMailTransport(settingsOf(server.settings));
    await transport.prepare();
    expect(server.counts().connections).to.equal(0);
    expect((await transport.send(mail)).outcome).to.equal('handedOver');
    await transport.close();
    await server.stop();
  });

  it('never becomes more headers or recipients, whatever its texts hold', async () => {
    const server = await startMailServer();
    const transport = createMailTransport(settingsOf(server.settings));
    await transport.send({ ...mail, subject: 'x\r\nBcc: eve@example.com\r\n\r\nbody' });
    expect(
      (await transport.send({ ...mail, to: 'bob@example.com>\r\nRCPT TO:<eve@example.com' })).outcome,
    ).not.to.equal('handedOver');
    await transport.close();
    expect(server.mails).to.have.length(1);
    expect(server.mails[0]?.envelope.to).to.deep.equal(['bob@example.com']);
    expect(server.mails[0]?.headers.has('bcc')).to.equal(false);
  });

  it('waits after 4yz, and ends its recipient after 5yz, with what the server says', async () => {
    const answers: Record<string, [Reply, string]> = {
      'grey@example.com': [new Reply(451, '4.7.1 Greylisted, try again'), 'later'],
      'full@example.com': [new Reply(452, '4.2.2 Mailbox full'), 'later'],
      'nobody@example.com': [new Reply(550, '5.1.1 No such user'), 'refused'],
      'policy@example.com': [new Reply(554, '5.7.1 Not welcome'), 'refused'],
    };
    const server = await startMailServer({ to: (to) => answers[to]?.[0] });
    const transport = createMailTransport(settingsOf(server.settings));
    for (const [to, [{ responseCode, message }, outcome]] of Object.entries(answers)) {
      const reason = `your mail server refused it: ${responseCode} ${message}`;
      expect(await transport.send({ ...mail, to }), to).to.deep.equal({ outcome, reason });
    }
    expect((await transport.send(mail)).outcome).to.equal('handedOver');
    await transport.close();
  });

  it('is refused by what the server says of its content, after the final dot', async () => {
    const answers = [new Reply(552, '5.3.4 Message too big'), new Reply(451, '4.3.0 Queue full'), undefined];
    const server = await startMailServer({ data: () => answers.shift() });
    const transport = createMailTransport(settingsOf(server.settings));
    const outcomes = [];
    for (let count = 0; count < 3; count++) outcomes.push((await transport.send(mail)).outcome);
    await transport.close();
    expect(outcomes).to.deep.equal(['refused', 'later', 'handedOver']);
  });

  it('waits, whoever it is for, while the server lets us send nothing', async () => {
    let password = 'correct';
    let sender: Reply | undefined;
    const server = await startMailServer({ password: () => password, from: () => sender });
    const transport = createMailTransport(settingsOf(server.settings));
    expect((await transport.send(mail)).outcome).to.equal('handedOver');
    sender = new Reply(550, '5.7.60 Not your address');
    expect(await transport.send(mail)).to.deep.equal({
      outcome: 'unavailable',
      reason: 'your mail server refused the sender: 550 5.7.60 Not your address',
    });
    await transport.close();
    password = 'changed';
    const again = createMailTransport(
      settingsOf({ ...server.settings, SMTP_URL: `smtp://${mailUser}:correct@127.0.0.1:${server.port}` }),
    );
    const refused = await again.send(mail);
    await again.close();
    expect(refused).to.deep.equal({
      outcome: 'unavailable',
      reason: 'your mail server refused the password: 535 5.7.8 Authentication credentials invalid',
    });
    expect(JSON.stringify(refused)).not.to.include('correct');
  });

  it('waits while nothing listens, or the connection ends in the middle of it', async () => {
    const closed = await startScripted(() => {});
    await closed.stop();
    expect(await createMailTransport(plainTo(closed.port)).send(mail)).to.deep.equal({
      outcome: 'unavailable',
      reason: 'your mail server is out of reach (ECONNREFUSED)',
    });
    const inData = await startScripted((line, socket) => {
      if (line === 'DATA') socket.write('354 go on\r\n');
      else if (line.startsWith('Content-Type')) socket.end('421 4.3.2 Shutting down\r\n');
      else if (/^(EHLO|MAIL|RCPT)/.test(line)) socket.write('250 test\r\n');
    });
    const result = await createMailTransport(plainTo(inData.port)).send(mail);
    expect(result.outcome).to.be.oneOf(['later', 'unavailable']);
    expect(result).to.have.property('reason').that.includes('your mail server');
  });

  it('is given up for now when the server never answers the final dot, and nothing of it stays open', async () => {
    let open: Socket | undefined;
    const silent = await startScripted((line, socket) => {
      open = socket;
      if (line === 'DATA') socket.write('354 go on\r\n');
      else if (/^(EHLO|MAIL|RCPT)/.test(line)) socket.write('250 test\r\n');
    });
    const transport = createMailTransport(plainTo(silent.port), { attemptMs: 300 });
    const startedAt = performance.now();
    const results = await Promise.all(Array.from({ length: 9 }, () => transport.send(mail)));
    for (const result of results)
      expect(result).to.deep.equal({
        outcome: 'unavailable',
        reason: 'your mail server did not answer in time',
      });
    expect(performance.now() - startedAt).to.be.lessThan(10_000);
    if (open !== undefined && !open.closed) await once(open, 'close');
  });

  it('takes four connections at most', async () => {
    const server = await startMailServer({
      data: () => new Promise((resolve) => setTimeout(() => resolve(undefined), 20)),
    });
    const transport = createMailTransport(settingsOf(server.settings));
    await Promise.all(Array.from({ length: 30 }, () => transport.send(mail)));
    await transport.close();
    expect(server.mails).to.have.length(30);
    expect(server.counts().openMax).to.equal(4);
  });
});

describe('TLS with the mail server', () => {
  it('is spoken from the start or by STARTTLS, with a certificate for its host', async () => {
    for (const isImplicit of [true, false]) {
      const server = await startMailServer({ certificate: { host: 'localhost', isImplicit } });
      const settings = byStartTls(server.port);
      if (isImplicit) settings.server.tls = 'implicit';
      const transport = createMailTransport(settings, { ca: String(server.ca) });
      expect((await transport.send(mail)).outcome).to.equal('handedOver');
      expect(await checkMailServer(settings, { ca: String(server.ca) })).to.equal(undefined);
      await transport.close();
    }
  });

  it('is refused with a certificate for another host, or of an unknown authority: nothing is sent', async () => {
    for (const isImplicit of [true, false]) {
      const server = await startMailServer({ certificate: { host: 'other.example', isImplicit } });
      const settings = byStartTls(server.port);
      if (isImplicit) settings.server.tls = 'implicit';
      for (const options of [{ ca: String(server.ca) }, {}]) {
        const transport = createMailTransport(settings, options);
        const result = await transport.send(mail);
        expect(result.outcome).to.equal('unavailable');
        expect(result).to.have.property('reason').that.includes('no TLS with your mail server');
        expect((await checkMailServer(settings, options))?.step).to.equal('tls');
        await transport.close();
      }
      expect(server.mails).to.deep.equal([]);
    }
  });

  it('is required: where a server on another machine offers none, nothing is sent', async () => {
    const server = await startMailServer({ password: () => 'secret' });
    const settings = byStartTls(server.port);
    settings.server.credentials = { user: mailUser, password: 'secret' };
    const transport = createMailTransport(settings);
    expect(await transport.send(mail)).to.include({ outcome: 'unavailable' });
    expect((await checkMailServer(settings))?.step).to.equal('tls');
    await transport.close();
    expect(server.mails).to.deep.equal([]);
  });
});

describe('A check of the mail server', () => {
  it('goes as far as it can, and sends nothing', async () => {
    let password = 'correct';
    let sender: Reply | undefined;
    const server = await startMailServer({ password: () => password, from: () => sender });
    const settings = settingsOf(server.settings);
    expect(await checkMailServer(settings)).to.equal(undefined);
    sender = new Reply(553, '5.7.1 Sender rejected');
    expect(await checkMailServer(settings)).to.deep.equal({
      step: 'sender',
      reason: 'your mail server refused the sender: 553 5.7.1 Sender rejected',
    });
    password = 'changed';
    expect((await checkMailServer(settings))?.step).to.equal('credentials');
    await server.stop();
    expect(await checkMailServer(settings)).to.deep.equal({
      step: 'connection',
      reason: 'your mail server is out of reach (ECONNREFUSED)',
    });
    expect(server.mails).to.deep.equal([]);
  });
});

describe('What a mail server says', () => {
  it('is one line of at most 200 characters, and controls nothing', () => {
    expect(serverWords('550 \u001b[31mNo\r\n550 user\u0000 \u202eevil')).to.equal('550 [31mNo 550 user evil');
    expect(serverWords('x'.repeat(500))).to.have.length(200);
    expect(serverWords('🌷'.repeat(500))).to.equal('🌷'.repeat(200));
  });
});
