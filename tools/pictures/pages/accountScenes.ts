import type { Scene } from './scene.ts';
import type { Studio } from './studio.ts';

/** A link that connects a browser to a chat user. */
async function connectLink({ service: { domain } }: Studio): Promise<string> {
  const chatUser = { platform: 'slack' as const, address: 'T1:U9' };
  return `/connect/${await domain.chat.createConnectLink({ chatUser, name: '@alice' })}`;
}

const adminAccount = async ({ service: { domain } }: Studio, email: string) =>
  `/admin/accounts/${(await domain.accounts.find(email)).id.toString('hex')}`;

/** The pages of accounts and admins, and those for everybody. */
export const accountScenes: Record<string, Scene> = {
  'sign-in': ({ visit }) => visit('/sign-in'),
  'sign-in-wrong': async ({ visit }) => {
    const page = await visit('/sign-in');
    await page.page.locator('#email').fill('alice@example.com');
    await page.page.locator('#password').fill('wrong');
    await page.awaitNavigation(() => page.page.keyboard.press('Enter'));
    return page;
  },
  'sign-up': ({ visit }) => visit('/sign-up'),
  'sign-up-wrong': async ({ visit }) => {
    const page = await visit('/sign-up');
    await page.page.locator('#email').fill('bob@example.com');
    await page.page.locator('#password').fill('aaaaaaaaaaaa');
    await page.awaitNavigation(() => page.page.keyboard.press('Enter'));
    return page;
  },
  invite: async ({ visit, service: { domain } }) =>
    visit(`/invite/${await domain.passwordLinks.create('carol@example.com', 'invite', 'operator')}`),
  account: ({ own }) => own('/account'),
  'account-security': ({ own }) => own('/account/security'),
  'account-security-log': ({ own }) => own('/account/security/log'),
  'account-notices': ({ own }) => own('/account/notices'),
  chats: ({ own }) => own('/account/chats'),
  tokens: ({ own }) => own('/account/tokens'),
  'token-created': async ({ own, messages }) => {
    const page = await own('/account/tokens');
    await page.page.locator('#name').fill('Build');
    await page.click(messages.tokens.create);
    return page;
  },
  'token-replace': async ({ own, messages, account, service: { domain } }) => {
    await domain.apiTokens.issue(account, { name: 'Deploy', days: 90 });
    const page = await own('/account/tokens');
    await page.page.getByLabel(messages.tokens.replaceOf('Deploy')).click();
    return page;
  },
  'trust-rules-none': ({ own }) => own('/account/rules'),
  'trust-rules': async ({ own, account, service: { domain } }) => {
    const issuer = 'https://token.actions.githubusercontent.com';
    const claims = { repository: 'acme/app', ref: 'refs/heads/main' };
    await domain.trustRules.create(account, { name: 'acme/app', issuer, claims });
    return own('/account/rules');
  },
  device: ({ own }) => own('/device?code=WDJB-MJHT'),
  'device-ask': async ({ own, messages, service: { domain } }) => {
    const client = { ip: '203.0.113.9', userAgent: 'hushpush/1.0.0', referrer: '', isPreviewer: () => false };
    const { userCode } = await domain.deviceSignIn.begin({ name: 'hushpush on laptop' }, client);
    const page = await own(`/device?code=${userCode}`);
    await page.click(messages.device.goOn);
    return page;
  },
  'device-wrong': async ({ own, messages }) => {
    const page = await own('/device?code=WDJB-MJHT');
    await page.click(messages.device.goOn);
    return page;
  },
  webhooks: ({ own }) => own('/account/webhooks'),
  'webhook-created': async ({ own, messages }) => {
    const page = await own('/account/webhooks');
    await page.page.locator('#url').fill('https://hooks.example.com/pushes');
    await page.click(messages.webhooks.add);
    return page;
  },
  deliveries: async ({ own, account, service: { domain } }) => {
    const { id } = await domain.webhooks.create(account, {
      url: 'https://hooks.example.com/staging',
      types: null,
    });
    await domain.webhooks.test(account, id);
    return own(`/account/webhooks/deliveries?id=${id}`);
  },
  requests: ({ own }) => own('/requests'),
  connect: async (studio) => studio.visit(await connectLink(studio)),
  'connect-account': async (studio) => studio.own(await connectLink(studio)),
  'connect-waiting': async (studio) => {
    const page = await studio.own(await connectLink(studio));
    await page.awaitNavigation(() => page.page.locator('main form button').click());
    return page;
  },
  'connect-gone': ({ visit }) => visit('/connect/used'),
  admin: ({ own }) => own('/admin'),
  'admin-none-found': ({ own }) => own('/admin?search=nobody'),
  'admin-account': async (studio) => studio.own(await adminAccount(studio, 'dan@example.com')),
  'admin-disable': async (studio) => studio.own(`${await adminAccount(studio, 'dan@example.com')}/disable`),
  installations: ({ own }) => own('/admin/installations'),
  'installation-remove': ({ own }) => own('/admin/installations/remove?id=T1'),
  docs: ({ visit }) => visit('/docs'),
  privacy: ({ visit }) => visit('/privacy'),
  support: ({ visit }) => visit('/support'),
};

/** Pages that say what is wrong. The last ones leave nothing that works. */
export const errorScenes: Record<string, Scene> = {
  'not-found': ({ visit }) => visit('/nothing'),
  'too-many': async ({ visit, api }) => {
    const ip = '198.51.100.66';
    for (let tries = 0; tries < 21; tries++)
      await api.get(`/p/${String(tries).padStart(26, '0')}`, { 'x-forwarded-for': ip });
    return visit(`/p/${'0'.repeat(26)}`, { ip });
  },
  starting: ({ whileStarting }) => whileStarting('/'),
  'starting-step': ({ whileStarting }) => whileStarting(`/p/${'0'.repeat(26)}`),
  failure: async ({ own, service: { database } }) => {
    await database.execute('DROP TABLE api_tokens', {});
    return own('/account/tokens');
  },
};
