import { urlTokenDigest } from '../../src/crypto/pepper.ts';
import { chatCaller, newChatUser } from '../harness/chat.ts';
import { payloadShown } from '../harness/forms.ts';
import type { Site } from '../harness/site.ts';
import type { Visit } from './linkVisitors.ts';

/** Everybody is at one address here, so limits that count requests are out of the way. Those of passphrases are not. */
export const limitsOfPassphrases = {
  RATE_LIMITS: 'on',
  LIMIT_REQUESTS: '1000000/1h',
  LIMIT_ANONYMOUS_CREATE: '1000000/1h',
  LIMIT_UNKNOWN_TOKENS: '1000000/1h',
  LIMIT_ANSWERS: '1000000/1h',
  LIMIT_ANSWERS_BY_LINK: '1000000/1h',
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
