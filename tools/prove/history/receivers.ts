import { createHash } from 'node:crypto';
import type { Account, Domain } from '../../../src/domain/index.ts';
import { bearer } from '../../../test/harness/api.ts';
import type { HtmlForm } from '../../../test/harness/forms.ts';
import { startWebhookReceiver } from '../../../test/harness/receiver.ts';
import { byPassword, createAccount, someClient } from '../../../test/harness/service.ts';
import type { ReceivedNotice } from './checker.ts';
import type { Cluster } from './cluster.ts';
import type { RecordedPush } from './record.ts';

/** An account with a webhook: what authenticates its requests to the API, and what its forms on the pages send along. */
export type Owner = { headers: { authorization: string }; form: HtmlForm };

export type Receivers = Awaited<ReturnType<typeof startReceivers>>;

/** Creates accounts with a webhook each, and records what arrives. */
export async function startReceivers({ domain }: Pick<Cluster, 'domain'>, count: number) {
  const receiver = await startWebhookReceiver();
  const endpoints: Awaited<ReturnType<typeof receiver.open>>[] = [];
  const owners: Owner[] = [];
  for (let number = 1; number <= count; number++) {
    const { account, token } = await createAccount(domain, `owner${number}@example.com`);
    owners.push({ headers: bearer(token), form: await formOf(account, domain) });
    endpoints.push(
      await receiver.open(async (url) => (await domain.webhooks.create(account, { url })).secret),
    );
  }

  /** What arrived, in order, by the number of the push. */
  function received(pushes: readonly RecordedPush[]): Map<number, ReceivedNotice[]> {
    const numbers = new Map(pushes.map(({ token, number }) => [sha256(token), number]));
    const byPush = new Map<number, ReceivedNotice[]>();
    for (const event of endpoints.flatMap(({ received }) => received)) {
      const number = numbers.get(event.push);
      if (number === undefined) continue;
      const notice = { ...event, at: performance.timeOrigin + event.at };
      byPush.set(number, [...(byPush.get(number) ?? []), notice]);
    }
    return byPush;
  }

  return {
    owners,
    received,
    /** The number of requests that arrived with a valid signature, and of those without one. */
    counts: () => ({
      received: endpoints.reduce((sum, endpoint) => sum + endpoint.received.length, 0),
      refused: endpoints.reduce((sum, endpoint) => sum + endpoint.refused, 0),
    }),
    close: receiver.close,
  };
}

const sha256 = (token: string) => createHash('sha256').update(token).digest('hex');

/** Signs in to an account. */
async function formOf(account: Account, { sessions, signing }: Domain): Promise<HtmlForm> {
  const session = await sessions.create(account, someClient, byPassword);
  return {
    headers: { cookie: `hushpush-session=${session}` },
    fields: { csrf: signing.sign('csrf', session) },
  };
}
