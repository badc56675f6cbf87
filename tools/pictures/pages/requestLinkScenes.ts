import { createOpeningKey } from '../../../src/client/sealing.js';
import { wrapKeyByPasskey } from '../../../src/client/wrappedKey.js';
import type { RequestLink } from '../../../src/domain/index.ts';
import type { TestPage } from '../../../test/harness/browser.ts';
import { someClient } from '../../../test/harness/service.ts';
import type { Scene } from './scene.ts';
import { withPasskeys } from './signInScenes.ts';
import type { Studio } from './studio.ts';

/** A request link of the account. */
const create = ({ service, account, texts }: Studio, input: object = {}): Promise<RequestLink> =>
  service.domain.requestLinks.create(
    { account: { ...account, subscribed: true }, client: someClient },
    { title: texts.names.database, note: texts.reasons.asking, ...input },
  );

const everything = { allowName: true, passphrase: 'open sesame', accepts: 'both' };

/** Opens a request link as a stranger does. */
const visit = async (studio: Studio, input?: object, options = {}): Promise<TestPage> =>
  studio.visit(`/a/${(await create(studio, input)).urlToken}`, options);

async function hold({ messages }: Studio, page: TestPage, ms?: number): Promise<TestPage> {
  const name = messages.answer.hold;
  await page.page.getByRole('button', { name }).scrollIntoViewIfNeeded();
  await page.hold(name, ms);
  return page;
}

async function answer({ service }: Studio, { urlToken }: RequestLink, name: string): Promise<void> {
  await using begun = await service.domain.requestLinks.beginAnswer(urlToken ?? '', someClient);
  await begun.send({ formId: `${name} ${urlToken}`, text: 'tulip', name });
}

/** The page of a link for its account, with two answers of which one was opened. */
async function answered(studio: Studio, answers: number): Promise<TestPage> {
  const link = await create(studio, { answers, allowName: true });
  for (const name of ['Bea, Acme', 'Carol']) await answer(studio, link, name);
  const { requestLinks, pushes } = studio.service.domain;
  const [first] = await requestLinks.listAnswers({ account: studio.account }, link.id);
  await pushes.reveal(first?.urlToken ?? '', undefined, { account: null, client: someClient });
  return studio.own(`/requests/links/${link.id}`);
}

/** Request links, for their accounts and for those who answer. */
export const requestLinkScenes: Record<string, Scene> = {
  'request-links': async (studio) => {
    await create(studio, { answers: 3 });
    return studio.own('/requests');
  },
  'request-link-new': ({ own }) => own('/requests/links/new'),
  'request-link-new-passkey': async (studio) => {
    const page = await withPasskeys(studio);
    await page.goto(`${studio.origin}/requests/links/new`);
    await page.page.locator('#sealing').selectOption('passkey');
    return page;
  },
  'request-link-wrong': async ({ own }) => {
    const page = await own('/requests/links/new');
    await page.page.evaluate('for (const form of document.forms) form.noValidate = true');
    await page.page.locator('#answers').fill('101');
    await page.awaitNavigation(() => page.page.locator('main form [type=submit]').click());
    return page;
  },
  'request-link': async (studio) => studio.own(`/requests/links/${(await create(studio)).id}`),
  'request-link-passkey': async (studio) => {
    const { account, ...page } = await withPasskeys(studio);
    const { passkeys } = studio.service.domain;
    const [{ credentialId = '' } = {}] = await passkeys.list(account);
    const keys = await createOpeningKey();
    const passkey = { credentialId, salt: new Uint8Array(32), secret: new Uint8Array(32) };
    const wrappedKey = await wrapKeyByPasskey(keys, passkey);
    const link = await create({ ...studio, account }, { publicKeys: keys.publicKeys, wrappedKey });
    await page.goto(`${studio.origin}/requests/links/${link.id}`);
    return page;
  },
  'request-link-answers': (studio) => answered(studio, 5),
  'request-link-ended': (studio) => answered(studio, 2),
  answer: (studio) => visit(studio, { accepts: 'text' }),
  'answer-everything': (studio) => visit(studio, everything),
  'answer-files': async (studio) => {
    const page = await visit(studio, { accepts: 'files' });
    await page.page
      .locator('#files')
      .setInputFiles([{ name: 'server.pem', mimeType: 'text/plain', buffer: Buffer.alloc(1_675) }]);
    return page;
  },
  'answer-word': async (studio) => hold(studio, await visit(studio, { accepts: 'text' }), 200),
  'answer-wrong-passphrase': async (studio) => {
    const page = await visit(studio, everything);
    await page.page.locator('#passphrase').fill('wrong');
    await page.page.locator('#payload').fill('tulip');
    return hold(studio, page);
  },
  'answer-without-scripts': (studio) => visit(studio, everything, { hasScripts: false }),
  'answer-sent': async (studio) => {
    const page = await visit(studio, { accepts: 'text' });
    await page.page.locator('#payload').fill('tulip');
    return hold(studio, page);
  },
  'answer-closed': ({ visit }) => visit(`/a/${'0'.repeat(26)}`),
};
