import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { encryptPush } from '../../../src/client/client.ts';
import { createClient, expirePushIn, type Fields } from '../../../test/harness/api.ts';
import { connectChat, newChatUser, setRules } from '../../../test/harness/chat.ts';
import { asMultipartForm } from '../../../test/harness/files.ts';
import { createAccount, startService } from '../../../test/harness/service.ts';
import type { KnownStore, LivePush } from './store.ts';

/*
 * Fills an empty database with something of everything, and writes what is known of it to KNOWN_FILE. `make.ts` runs it in
 * the sources of a release. So it uses nothing but the API, and functions of the tests that all releases have.
 */

const { DATABASE_URL = '', MASTER_KEYS = '', PEPPER = '', FILES_DIR = '', KNOWN_FILE = '' } = process.env;
const service = await startService({ DATABASE_URL, MASTER_KEYS, PEPPER, FILES_DIR, FILES: 'everyone' });
const { domain, database } = service;
const api = createClient(service.port);
const live: LivePush[] = [];

const { account, token } = await createAccount(domain, 'ann@example.com', { subscribed: true });
const ann = { authorization: `Bearer ${token}` };
const chatUser = newChatUser('T1');
await connectChat(domain, chatUser, { account });
await domain.chat.installations.store('slack', { workspace: 'T1', userId: 'U1' }, { token: 'xoxb-1' });
await setRules(domain, 'slack', 'T1', { requireRecipients: false, allowSlashText: true, maxDays: 3 });
await domain.chat.requests.create(chatUser, [newChatUser('T1')], { reason: 'the VPN' });
const webhook = await domain.webhooks.create(account, { url: 'https://hook.example.com/' });

/** Creates a push that stays live. */
async function create(name: string, fields: Fields = {}, headers: Record<string, string> = ann) {
  const push = { payload: `the secret of ${name}`, expire_after_views: 2, ...fields };
  const created = await api.create(push, headers);
  const { passphrase } = fields;
  live.push({
    name,
    urlToken: created.token,
    headers: passphrase === undefined ? {} : { 'x-passphrase': String(passphrase) },
    payload: String(push.payload),
    files: {},
    views: Number(push.expire_after_views),
  });
  return created;
}

await create('a text', { name: 'garden', note: 'a note' });
await create('an anonymous text', { expire_after_views: 1 }, {});
const locked = await create('a text with a passphrase', { passphrase: 'open sesame' });
await api.get(`${locked.json}?passphrase=wrong`);
await create('a URL', { kind: 'url', payload: 'https://example.com/' });
await create('a QR code', { kind: 'qr' });
await create('a text without the retrieval step', { retrieval_step: false, deletable_by_viewer: true });
const { push, key } = await encryptPush({ payload: 'the secret that is encrypted' });
await create('an encrypted text', push);
Object.assign(live.at(-1) ?? {}, { key, payload: 'the secret that is encrypted' });
const viewed = await create('a text that was viewed', { expire_after_views: 3 });
await api.get(viewed.json);
Object.assign(live.at(-1) ?? {}, { views: 2 });

const files = { 'first.txt': 'a rose', 'second.txt': 'a tulip' };
const withFiles = await api.send('POST', '/p.json', asMultipartForm(files, ann));
live.push({
  name: 'files',
  urlToken: String(withFiles.body.url_token),
  headers: {},
  payload: '',
  files,
  views: 5,
});

const forBob = await api.create({ payload: 'for Bob', recipients: ['Bob'] }, ann);
const [bob] = forBob.push.recipients as { html_url: string }[];
live.push({
  name: 'a text for a recipient, by their link',
  urlToken: bob?.html_url.split('/').at(-1) ?? '',
  headers: {},
  payload: 'for Bob',
  files: {},
  views: 1,
});

const revocable = await api.create({ expire_after_views: 2 }, ann);
const [usedUp, deleted, over] = [
  await api.create({ expire_after_views: 1 }, ann),
  await api.create({}, ann),
  await api.create({}, ann),
];
await api.get(usedUp.json);
await api.send('DELETE', deleted.json, { headers: ann });
await expirePushIn(service, over.token, -1);

const idempotencyKey = randomUUID();
const repeatable = { password: { payload: 'once' } };
const repeated = await api.post('/p.json', repeatable, { ...ann, 'idempotency-key': idempotencyKey });

const [waiting] = await database.select<{ notices: number }>(
  'SELECT COUNT(*) AS notices FROM notices WHERE due_at IS NOT NULL',
  {},
);
const known: KnownStore = {
  madeAt: await database.clock(),
  keys: { MASTER_KEYS, PEPPER },
  token,
  chatUser: chatUser.address,
  webhookId: webhook.id,
  installation: { token: 'xoxb-1' },
  live,
  revocable: revocable.token,
  ended: [usedUp.token, deleted.token, over.token],
  repeatable: { key: idempotencyKey, body: repeatable, urlToken: String(repeated.body.url_token) },
  notices: Number(waiting?.notices),
};
await writeFile(KNOWN_FILE, `${JSON.stringify(known, null, 2)}\n`);
api.close();
await service.stop();
