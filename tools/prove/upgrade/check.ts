import { decryptPush, type RetrievedPush } from '../../../src/client/client.ts';
import { bearer, createClient, type Fields } from '../../../test/harness/api.ts';
import { deliverNotices } from '../../../test/harness/chat.ts';
import { downloadPath, filesOf } from '../../../test/harness/files.ts';
import { startService } from '../../../test/harness/service.ts';
import type { KnownStore, LivePush, StoreSettings } from './store.ts';

/** Uses all that a store holds, with this build. Returns what is not as it should be, in one sentence each. */
export async function checkStore(known: KnownStore, settings: StoreSettings): Promise<string[]> {
  const service = await startService({ ...settings, FILES: 'everyone' });
  const { domain, database } = service;
  const api = createClient(service.port);
  const ann = bearer(known.token);
  const problems: string[] = [];
  const expect = (isRight: boolean, problem: string) => {
    if (!isRight) problems.push(problem);
  };

  async function readLive(push: LivePush): Promise<void> {
    const path = `/p/${push.urlToken}.json`;
    for (let view = 1; view <= push.views; view++) {
      const { status, body } = await api.get(path, push.headers);
      const isSecret = (await payloadOf(body, push)) === push.payload;
      expect(isSecret, `${push.name}: view ${view} of ${push.views} was ${status}, without its secret`);
      for (const file of filesOf(body))
        expect(
          (await api.get(downloadPath(file))).text === push.files[String(file.filename)],
          `${push.name}: ${file.filename} has another content`,
        );
      const names = filesOf(body).map(({ filename }) => filename);
      expect(names.join() === Object.keys(push.files).join(), `${push.name}: its files are ${names.join()}`);
    }
    const { body } = await api.get(path, push.headers);
    expect(body.payload === null && body.expired === true, `${push.name}: it did not end with its views`);
  }

  async function readNotices(): Promise<void> {
    let delivered = 0;
    for (let more = 1; more > 0; delivered += more) more = (await deliverNotices(domain)).length;
    expect(
      delivered >= known.notices,
      `${delivered} notices were delivered, and ${known.notices} had waited`,
    );
    const left = await database.select('SELECT id FROM notices WHERE due_at IS NOT NULL', {});
    expect(left.length === 0, `${left.length} notices are not delivered`);
  }

  async function readAccount(): Promise<void> {
    for (const state of ['active', 'expired']) {
      const { status, json } = await api.get(`/p/${state}.json`, ann);
      const unreadable = status === 200 ? (json as Fields[]).filter((push) => push.unreadable) : [status];
      expect(unreadable.length === 0, `the list of ${state} pushes is not whole: ${unreadable}`);
    }
    const { account } = await domain.apiTokens.authenticate(known.token);
    const [webhook] = await domain.webhooks.list(account);
    expect(webhook?.id === known.webhookId && webhook.url !== null, 'the webhook is lost');
    const [identity] = await domain.chat.identities.list(account);
    expect(identity !== undefined, 'the chat of the account is lost');
    const workspace = { workspace: 'T1' };
    const installation = await domain.chat.installations.maybeFind('slack', workspace);
    expect(
      JSON.stringify(installation) === JSON.stringify(known.installation),
      'the installation in Slack is lost',
    );
    const rules = await domain.chat.settings.ofWorkspace('slack', 'T1');
    expect(rules.maxDays === 3, 'the rules of the workspace are lost');
  }

  async function repeatCreation(): Promise<void> {
    const { key, body, urlToken } = known.repeatable;
    const again = await api.post('/p.json', body, { ...ann, 'idempotency-key': key });
    expect(again.body.url_token === urlToken, 'a creation that is repeated creates another push');
  }

  async function revoke(): Promise<void> {
    const path = `/p/${known.revocable}.json`;
    await api.send('DELETE', path, { headers: ann });
    const { body } = await api.get(path);
    expect(body.deleted === true && body.payload === null, 'a revoked push can be opened');
  }

  try {
    await readAccount();
    await repeatCreation();
    await revoke();
    for (const urlToken of known.ended) {
      const { body } = await api.get(`/p/${urlToken}.json`);
      expect(body.payload === null && body.expired === true, 'a push that had ended can be opened');
    }
    for (const push of known.live) await readLive(push);
    await readNotices();
  } finally {
    api.close();
    await service.stop();
  }
  return problems;
}

async function payloadOf(body: Fields, { key }: LivePush): Promise<unknown> {
  if (key === undefined) return body.payload;
  return (await decryptPush(body as unknown as RetrievedPush, `https://push.test/p/x#${key}`)).payload;
}
