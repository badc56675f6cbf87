import { randomUUID } from 'node:crypto';
import { urlTokenDigest } from '../../src/crypto/pepper.ts';
import { mailRecipientOf } from '../../src/domain/mail/index.ts';
import { asForm, asJson, bearer } from '../harness/api.ts';
import { chatCaller, countRows, newChatUser } from '../harness/chat.ts';
import { parseForm, payloadShown, sameOrigin } from '../harness/forms.ts';
import type { startMailServer } from '../harness/mailServer.ts';
import { createAccount, newEmail } from '../harness/service.ts';
import type { Site } from '../harness/site.ts';
import { until } from '../harness/until.ts';
import type { Visit } from './linkVisitors.ts';
import type { MailVisit } from './mailVisitors.ts';

/** Everybody is at one address here, so limits that count requests are out of the way. Those of passphrases are not. */
export const limitsOfPassphrases = {
  RATE_LIMITS: 'on',
  LIMIT_REQUESTS: '1000000/1h',
  LIMIT_ANONYMOUS_CREATE: '1000000/1h',
  LIMIT_UNKNOWN_TOKENS: '1000000/1h',
  LIMIT_ANSWERS: '1000000/1h',
  LIMIT_ANSWERS_BY_LINK: '1000000/1h',
  LIMIT_MAIL_BY_ACCOUNT: '1000000/1h',
};

/** What a visit cost, and what became of the recipient, who has the same address as the visitor. */
export type Cost = {
  views: number;
  attempts: number;
  notices: number;
  recipient: 'gets the secret' | 'is locked out' | 'is too late';
};

/** What a visit should cost. */
export const nothing: Cost = { views: 0, attempts: 0, notices: 0, recipient: 'gets the secret' };

/** Lets a visitor meet the link of a push with one view, whose sender is notified of everything. */
export async function costOf(
  site: Site,
  visit: Visit,
  { passphrase }: { passphrase?: string | undefined },
): Promise<Cost> {
  const sender = chatCaller(newChatUser());
  const options = { payload: 'tulip', expireAfterViews: 1, ...(passphrase && { passphrase }) };
  const { urlToken } = await site.service.domain.chat.pushes.create(sender, options);
  const address = `${site.base}/p/${urlToken}`;
  await visit(address, site);
  const cost = await recordedCost(site, urlToken);
  const page = new URL(address).pathname;
  const response = await site.forms.reveal({ page }, passphrase === undefined ? {} : { passphrase });
  const isLocked = response.status === 429;
  const gotIt = payloadShown(response) === 'tulip';
  return { ...cost, recipient: gotIt ? 'gets the secret' : isLocked ? 'is locked out' : 'is too late' };
}

async function recordedCost({ service, viewsUsed, base }: Site, urlToken: string) {
  const { database, keyring } = service;
  const binds = { digest: urlTokenDigest(keyring, urlToken) };
  const sumOf = async (table: string, condition: string) => {
    const [row] = await database.select<{ found: number }>(
      `SELECT COALESCE(SUM(times), 0) AS found FROM ${table}
       WHERE push_id = (SELECT id FROM pushes WHERE token_digest = $digest) AND ${condition}`,
      binds,
    );
    return Number(row?.found);
  };
  return {
    views: await viewsUsed(`${base}/p/${urlToken}`),
    attempts: await sumOf('audit_rows', `kind = 'failed_passphrase'`),
    notices: await sumOf('notices', 'TRUE'),
  };
}

/** What a visit to the page of a request link cost, and what became of a person there, who has the same address as the visitor. */
export type AnswerCost = {
  answers: number;
  files: number;
  notices: number;
  person: 'can answer' | 'is locked out' | 'is too late';
};

/** What a visit should cost there. */
export const noAnswer: AnswerCost = { answers: 0, files: 0, notices: 0, person: 'can answer' };

/** Lets a visitor meet a request link with one place, which asks for whatever a form can take. */
export async function costOfRequest(
  site: Site,
  visit: Visit,
  input: { accepts?: 'text' | 'both'; passphrase?: string } = {},
): Promise<AnswerCost> {
  const { domain, database } = site.service;
  const asker = chatCaller(newChatUser());
  const { account, client } = await domain.chat.admit(asker);
  await database.execute('UPDATE accounts SET subscribed = TRUE WHERE id = $id', { id: account.id });
  const asked = { title: 'the VPN', allowName: true, accepts: 'both', ...input };
  const link = await domain.requestLinks.create({ account: { ...account, subscribed: true }, client }, asked);
  const address = `${site.base}/a/${link.urlToken}`;
  await visit(address, site);
  const id = Buffer.from(link.id, 'hex');
  const answered = 'push_id IN (SELECT push_id FROM request_answers WHERE link_id = $id)';
  const cost = {
    answers: await countRows(site.service, 'request_answers', 'link_id = $id', { id }),
    files: await countRows(site.service, 'files', answered, { id }),
    notices: await countRows(site.service, 'notices', answered, { id }),
  };
  const body = JSON.stringify({ answer: { payload: 'tulip', passphrase: input.passphrase } });
  const headers = { ...asJson, 'idempotency-key': randomUUID() };
  const { status } = await site.api.send('POST', `${new URL(address).pathname}.json`, { headers, body });
  const person = status === 201 ? 'can answer' : status === 429 ? 'is locked out' : 'is too late';
  return { ...cost, person };
}

/** What a visit to a mail cost, which brings a recipient their link. */
export type MailCost = {
  views: number;
  codes: number;
  tries: number;
  notices: number;
  recipient: Cost['recipient'];
};

/** What it should cost. */
export const nothingOfMail: MailCost = {
  views: 0,
  codes: 0,
  tries: 0,
  notices: 0,
  recipient: 'gets the secret',
};

/**
 * Lets a visitor meet the mail with a link that needs a code and opens once, whose sender is notified of everything. Then its
 * recipient asks for a code, reads it, and opens the link, from the address of the visitor.
 */
export async function costOfMail(
  site: Site,
  server: Pick<Awaited<ReturnType<typeof startMailServer>>, 'mails'>,
  visit: MailVisit,
): Promise<MailCost> {
  const { account, token } = await createAccount(site.service.domain);
  await site.service.database.execute(
    "INSERT INTO recipients (account_id, messenger, address) VALUES ($id, 'counted', 'x')",
    { id: account.id },
  );
  const to = newEmail();
  const { push } = await site.api.create({ recipients: [to] }, bearer(token));
  const [{ html_url: address = '' } = {}] = push.recipients as { html_url?: string }[];
  /** The last mail to the recipient. */
  async function lastMail() {
    await until(async () => {
      await site.service.deliver();
      const waiting = `SELECT 1 FROM notices WHERE messenger = 'mail' AND address = $address AND ended_at IS NULL`;
      const { address } = mailRecipientOf(to);
      return (await site.service.database.select(waiting, { address })).length === 0;
    });
    const mail = server.mails.filter(({ envelope }) => envelope.to.includes(to)).at(-1);
    if (mail === undefined) throw new Error('there is no mail');
    return mail;
  }

  await visit(await lastMail(), site);
  const cost = await recordedCostOfMail(site, address);
  await lastMail();
  const page = new URL(address).pathname;
  const asked = await site.forms.reveal({ page });
  const cookie = parseForm(asked).headers.cookie ?? '';
  const [code = ''] = /\b\d{6}\b/.exec(String((await lastMail()).text)) ?? [];
  const headers = { ...asForm, ...sameOrigin, cookie };
  const body = String(new URLSearchParams({ step: 'enter', code }));
  const entered = await site.api.send('POST', page, { headers, body });
  const opened = await site.forms.submit(page, await site.forms.loadForm(page, { cookie }));
  const isLocked = asked.status !== 303 || entered.status !== 303;
  const gotIt = payloadShown(opened) === 'tulip';
  return { ...cost, recipient: gotIt ? 'gets the secret' : isLocked ? 'is locked out' : 'is too late' };
}

async function recordedCostOfMail({ service, viewsUsed }: Site, address: string) {
  const { database, keyring } = service;
  const [, urlToken = ''] = /\/p\/(\w{26})/.exec(address) ?? [];
  const [row] = await database.select<Record<'codes' | 'tries' | 'notices', number>>(
    `SELECT COUNT(c.id) AS codes, COALESCE(SUM(c.tries), 0) AS tries,
       (SELECT COALESCE(SUM(n.times), 0) FROM notices n WHERE n.push_id = r.push_id AND n.messenger = 'counted') AS notices
     FROM push_recipients r LEFT JOIN recipient_codes c ON c.recipient_id = r.id
     WHERE r.token_digest = $digest GROUP BY r.push_id`,
    { digest: urlTokenDigest(keyring, urlToken) },
  );
  return {
    views: await viewsUsed(address),
    codes: Number(row?.codes),
    tries: Number(row?.tries),
    notices: Number(row?.notices),
  };
}
