import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { endsWithTest } from './endsWithTest.ts';
import { until } from './until.ts';

/** A mail as a mail server took it. */
type TakenMail = ParsedMail & { raw: string; envelope: { from: string; to: string[] } };

/** What a mail server answers where it does not take everything: a code and its words, as in `new Reply(451, 'try later')`. */
export class Reply extends Error {
  readonly responseCode: number;

  constructor(code: number, words: string) {
    super(words);
    this.responseCode = code;
  }
}

type Answer<Input> = (input: Input) => Reply | undefined | Promise<Reply | undefined>;

type MailServerOptions = {
  /** Answers to commands; undefined takes them. `data` is asked after the final dot. */
  from?: Answer<string>;
  to?: Answer<string>;
  data?: Answer<string>;
  /** Whom it lets in; without it, everybody. */
  password?: () => string;
  /** The host that its certificate is for; without it, there is no TLS. `isImplicit` for TLS from the start. */
  certificate?: { host: string; isImplicit?: boolean };
};

/** The account at mail servers with a password. */
export const mailUser = 'hushpush';

/** A real mail server that keeps what it takes, and refuses what it is told to. */
export async function startMailServer(options: MailServerOptions = {}) {
  const { from, to, data, password, certificate } = options;
  const mails: TakenMail[] = [];
  let connections = 0;
  let openConnections = 0;
  let openMax = 0;
  const reply = async <Input>(
    answer: Answer<Input> | undefined,
    input: Input,
    done: (error?: Error) => void,
  ) => done(await answer?.(input));
  const keyPair = certificate && selfSigned(certificate.host);
  const server = new SMTPServer({
    ...keyPair,
    secure: certificate?.isImplicit === true,
    disabledCommands: [...(certificate ? [] : ['STARTTLS']), ...(password ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    authOptional: password === undefined,
    closeTimeout: 100,
    onConnect(_session, done) {
      connections++;
      openMax = Math.max(openMax, ++openConnections);
      done();
    },
    onClose: () => void openConnections--,
    onAuth({ username, password: given }, _session, done) {
      if (username === mailUser && given === password?.()) done(null, { user: username });
      else done(new Reply(535, '5.7.8 Authentication credentials invalid'));
    },
    onMailFrom: ({ address }, _session, done) => void reply(from, address, done),
    onRcptTo: ({ address }, _session, done) => void reply(to, address, done),
    async onData(stream, { envelope }, done) {
      const raw = await text(stream).catch(() => undefined);
      if (raw === undefined) return done(new Error('the client went away'));
      const refusal = await data?.(raw);
      if (refusal !== undefined) return done(refusal);
      const addresses = {
        from: envelope.mailFrom ? envelope.mailFrom.address : '',
        to: envelope.rcptTo.map(({ address }) => address),
      };
      mails.push({ ...(await simpleParser(raw)), raw, envelope: addresses });
      done(null);
    },
  });
  server.on('error', () => {}); // of clients that went away
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  return {
    port,
    ca: keyPair?.cert,
    mails,
    counts: () => ({ connections, openMax }),
    /** The settings of a service that sends through it. */
    settings: {
      SMTP_URL: `smtp${certificate?.isImplicit ? 's' : ''}://${password ? `${mailUser}:${password()}@` : ''}127.0.0.1:${port}`,
      MAIL_FROM: 'Acme <hushpush@acme.example>',
    },
    /** Waits for so many mails in all. */
    taken: (count: number) => until(() => mails.length >= count),
    stop: endsWithTest(() => new Promise<void>((resolve) => server.close(() => resolve()))),
  };
}

function selfSigned(host: string): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'],
        ...['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-keyout', key, '-out', cert],
      ],
      { stdio: 'ignore' },
    );
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
