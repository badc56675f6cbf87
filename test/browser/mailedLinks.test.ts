import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { ParsedMail } from 'mailparser';
import pLimit from 'p-limit';
import { urlTokenDigest } from '../../src/crypto/pepper.ts';
import { bearer } from '../harness/api.ts';
import { onMariadb } from '../harness/database.ts';
import { startMailServer } from '../harness/mailServer.ts';
import { createAccount, newEmail, someClient } from '../harness/service.ts';
import { freshlySignedIn } from '../harness/signedIn.ts';
import { type Site, startSite } from '../harness/site.ts';
import { until } from '../harness/until.ts';
import { drivenBrowsers, programs } from './linkVisitors.ts';
import { byMail, linksOf, mailGateways } from './mailVisitors.ts';
import { costOfMail, limitsOfPassphrases, nothingOfMail } from './visits.ts';

// Browsers do not depend on the database, so this runs once.
const describeOnce = onMariadb ? describe : () => {};

describeOnce('A link in a mail, in a browser', () => {
  const scanners = Object.entries({ ...programs, ...drivenBrowsers }).map(
    ([name, visit]) => [name, byMail(visit)] as const,
  );
  let site: Site;
  let token: string;
  let server: Awaited<ReturnType<typeof startMailServer>>;

  before(async function () {
    server = await startMailServer();
    site = await startSite(this, { ...limitsOfPassphrases, ...server.settings });
    ({ token } = await createAccount(site.service.domain));
  });
  after(async () => {
    await site?.stop();
    await server?.stop();
  });

  /** The link of a recipient, which opens once. Its mail is not sent: what it says is tested elsewhere. */
  async function mailedLink(fields: object = {}): Promise<string> {
    const { push } = await site.api.create({ recipients: [newEmail()], ...fields }, bearer(token));
    const [recipient] = push.recipients as [{ html_url: string }];
    return recipient.html_url;
  }

  const urlTokenOf = (address: string) => /\/p\/(\w{26})/.exec(address)?.[1] ?? '';

  /** What is stored of codes for a link. */
  async function codesOf(
    address: string,
  ): Promise<{ asked: number; tries: number; code: string | undefined }> {
    const { database, domain, keyring } = site.service;
    const [row] = await database.select<{ pushId: Buffer; address: string; asked: number; tries: number }>(
      `SELECT r.push_id AS pushId, r.address, (SELECT COUNT(*) FROM recipient_codes c WHERE c.recipient_id = r.id) AS asked,
         COALESCE((SELECT SUM(c.tries) FROM recipient_codes c WHERE c.recipient_id = r.id), 0) AS tries
       FROM push_recipients r WHERE r.token_digest = $digest`,
      { digest: urlTokenDigest(keyring, urlTokenOf(address)) },
    );
    if (row === undefined) throw new Error('no such link');
    const code = await domain.pushes.maybeCode(row.pushId, row.address);
    return { asked: Number(row.asked), tries: Number(row.tries), code };
  }

  it('opens to whoever enters the code that its page had sent, and not in another browser', async () => {
    const address = await mailedLink();
    const person = await site.browser.open();
    await person.goto(address);
    expect(await person.text()).to.include('a code goes to the e-mail address');
    await sleep(550);
    await person.hold('Hold for a code');
    expect(await person.text()).to.include('six digits');
    const { code = '' } = await codesOf(address);

    const other = await site.browser.open(); // has the link, and hears of the code
    await other.goto(address);
    expect(await other.text()).to.include('Hold for a code');
    await other.close();

    await person.goto(address); // once more from the mail
    await person.fill('Code', code);
    await person.click('Continue');
    expect(await person.text()).to.include('Opening it uses up a view');
    expect(await site.viewsUsed(address)).to.equal(0);
    await sleep(550);
    await person.hold('Hold to open');
    expect(await person.text()).to.include('tulip');
    expect(await site.viewsUsed(address)).to.equal(1);
    expect(person.problems()).to.deep.equal([]);
    await person.close();
  });

  it('costs no view, code or notification and locks nobody out when scanners follow it, run its scripts, send its forms and unsubscribe', async () => {
    const some = pLimit(4);
    const visits = { ...Object.fromEntries(scanners), ...mailGateways };
    const costs = Object.entries(visits).map(([name, visit]) =>
      some(async () => ({ name, ...(await costOfMail(site, server, visit)) })),
    );
    const expected = Object.keys(visits).map((name) => ({ name, ...nothingOfMail }));
    expect(await Promise.all(costs)).to.deep.equal(expected);
  });

  /** A push with two views, one of which was used, and the mail that tells its sender of it. */
  async function toldByMail() {
    const { domain, database } = site.service;
    const { account, token } = await createAccount(domain);
    await database.transaction(async (tx) => {
      const { address } = await domain.mailAddresses.save(account.email, null, tx);
      const recipient = { id: account.id, address };
      await tx.execute(
        "INSERT INTO recipients (account_id, messenger, address) VALUES ($id, 'mail', $address)",
        recipient,
      );
    });
    await domain.mailLinks.chooseMails(account, ['viewed']);
    const address = await site.push({ expire_after_views: 2 }, bearer(token));
    await site.api.get(`${new URL(address).pathname}.json`);
    const mailOf = () => server.mails.find(({ envelope }) => envelope.to.includes(account.email));
    await until(async () => {
      await database.execute(`UPDATE notices SET due_at = 1 WHERE due_at IS NOT NULL AND lease IS NULL`, {});
      await site.service.deliver();
      return mailOf() !== undefined;
    });
    return { account, address, mail: mailOf() as ParsedMail };
  }

  it('costs its sender nothing but the notifications by mail when gateways read these and unsubscribe', async () => {
    const { mailLinks } = site.service.domain;
    for (const [name, visit] of Object.entries(mailGateways)) {
      const { account, address, mail } = await toldByMail();
      expect(mail.headers.get('list'), name).to.have.property('unsubscribe');
      await visit(mail, site);
      expect(await site.viewsUsed(address), name).to.equal(1);
      expect((await mailLinks.mailChoiceOf(account))?.kinds, name).to.deep.equal([]);
      await mailLinks.chooseMails(account, ['viewed']);
      expect((await mailLinks.mailChoiceOf(account))?.kinds, name).to.deep.equal(['viewed']);
    }
  });

  it('confirms an address to a person who holds its button, and to no gateway', async () => {
    const { domain } = site.service;
    const { account } = await createAccount(domain);
    const { email } = account;
    const signedIn = await freshlySignedIn(domain, account);
    await domain.mailLinks.askForAddress(signedIn, email, { client: someClient, locale: 'en' });
    await site.service.deliver();
    const mail = server.mails.find(({ envelope }) => envelope.to.includes(email)) as ParsedMail;
    for (const visit of Object.values(mailGateways)) await visit(mail, site);
    expect(await domain.mailLinks.isVerified(account)).to.equal(false);

    const person = await site.browser.open();
    await person.goto(linksOf(mail, site).find((address) => address.includes('/verify/')) ?? '');
    await person.hold('Hold to confirm');
    await until(async () => (await person.text()).includes('Your address is confirmed'));
    expect(await domain.mailLinks.isVerified(account)).to.equal(true);
    expect(person.problems()).to.deep.equal([]);
    await person.close();
  });
});
