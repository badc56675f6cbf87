import type { Account } from '../../../src/domain/index.ts';
import { type Locale, messagesOf } from '../../../src/locales/locales.ts';
import { bearer, createClient, type Fields } from '../../../test/harness/api.ts';
import type { TestBrowser, TestPage } from '../../../test/harness/browser.ts';
import { connectChat, slackOn } from '../../../test/harness/chat.ts';
import { startService, type TestService } from '../../../test/harness/service.ts';
import type { startFront } from './front.ts';
import { type SampleTexts, sampleTexts } from './sampleTexts.ts';

/** How pages are looked at. A picture of a narrow page needs no `width` of a whole screen. */
export type Variant = {
  locale: Locale;
  theme: 'light' | 'dark';
  device: 'desktop' | 'phone';
  width?: number;
  /** The folder of a look. */
  look?: string;
};

type Front = Awaited<ReturnType<typeof startFront>>;

export type Studio = Awaited<ReturnType<typeof openStudio>>;

export const password = 'correct horse battery';

const userAgents = {
  desktop:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  phone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
};

/** How long a scene may wait before it counts as failed. */
const patienceMs = 30_000;

const unlimited = '100000/1s';

/** Settings of the services: whoever opens so many pages so fast is limited otherwise. */
const environment = {
  ...{ TRUSTED_PROXIES: '127.0.0.1', FILES: 'everyone', RATE_LIMITS: 'on' },
  ...{
    LIMIT_REQUESTS: unlimited,
    LIMIT_AUTHENTICATED_REQUESTS: unlimited,
    LIMIT_ACCOUNT_REQUESTS: unlimited,
  },
  ...{ LIMIT_TOKEN_REQUESTS: unlimited, LIMIT_ANONYMOUS_CREATE: unlimited, LIMIT_ACCOUNT_CREATE: unlimited },
  ...{ OPERATOR_NAME: 'Example Ltd', OPERATOR_CONTACT: 'it@example.com' },
  ...slackOn,
  // Nobody asks a provider before somebody presses its button
  ...{ OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'hushpush', OIDC_LABEL: 'Acme' },
};

/** A service with an account that has used it for a while, and browsers that look at it. */
export async function openStudio(front: Front, browser: TestBrowser, variant: Variant) {
  const settings = { ...environment, BASE_URL: front.origin, LOOK_DIR: variant.look ?? '' };
  const service = await startService(settings);
  const api = createClient(service.port);
  front.leadTo(service);
  const opened: TestPage[] = [];

  type VisitorOptions = { ip?: string; hasScripts?: boolean };

  /** Opens a page in a browser of its own. */
  async function visit(path: string, { ip = '203.0.113.24', hasScripts = true }: VisitorOptions = {}) {
    const { theme, locale, device, width } = variant;
    const region = locale === 'de' ? 'Europe/Berlin' : 'Europe/London';
    const page = await browser.open({
      ...{ theme, device, locale: locale === 'de' ? 'de-DE' : 'en-GB', scripts: hasScripts },
      contextOptions: {
        ...{ ignoreHTTPSErrors: true, reducedMotion: 'reduce', timezoneId: region },
        userAgent: userAgents[device],
        extraHTTPHeaders: { 'x-forwarded-for': ip },
        ...(width !== undefined && { viewport: { width, height: 640 }, deviceScaleFactor: 1.5 }),
      },
    });
    opened.push(page);
    page.context.setDefaultTimeout(patienceMs);
    await page.goto(path.startsWith('https:') ? path : front.origin + path);
    return page;
  }

  /** Creates a push, and returns its link. */
  async function push(fields: Fields = {}, headers = {}): Promise<string> {
    return front.origin + (await api.create({ payload: secret, ...fields }, headers)).page;
  }

  const messages = messagesOf(variant.locale);
  const texts = sampleTexts[variant.locale];
  const owner = await signedUp(await visit('/sign-up'), service);
  const token = bearer(await service.domain.apiTokens.issue(owner.account, { name: 'CI', scope: 'create' }));
  const full = bearer(await service.domain.apiTokens.issue(owner.account, { name: texts.laptop }));
  await addHistory({ service, texts, account: owner.account, push: (fields) => push(fields, token) });

  return {
    ...{ variant, service, api, messages, texts, visit, push, origin: front.origin },
    account: owner.account,
    /** Goes to a page of the account. */
    async own(path: string): Promise<TestPage> {
      await owner.page.goto(front.origin + path);
      return owner.page;
    },
    /** Creates a push of the account. */
    ownPush: (fields: Fields) => push(fields, { ...full, 'user-agent': userAgents[variant.device] }),
    /** A page while the service cannot serve. */
    async whileStarting(path: string): Promise<TestPage> {
      const starting = await startService(settings, { isReady: false });
      front.leadTo(starting);
      const page = await visit(path);
      front.leadTo(service);
      await starting.stop();
      return page;
    },
    async close() {
      await Promise.all(opened.map((page) => page.close()));
      api.close();
      await service.stop();
    },
  };
}

export const secret = 'correct horse battery staple';

/** Creates an account on the page for that. */
export async function signUp(page: TestPage, email: string): Promise<void> {
  await page.page.locator('#email').fill(email);
  await page.page.locator('#password').fill(password);
  await page.awaitNavigation(() => page.page.keyboard.press('Enter'));
}

/** Signs up in a browser, as an admin. */
async function signedUp(page: TestPage, { domain: { accounts } }: TestService) {
  const email = 'alice@example.com';
  await signUp(page, email);
  await accounts.setAdmin(email, true, 'operator');
  return { page, account: await accounts.find(email) };
}

type History = {
  service: TestService;
  texts: SampleTexts;
  account: Account;
  push: (fields: Fields) => Promise<string>;
};

/** Pushes of different ages and ends, a chat, requests and other accounts. */
async function addHistory({ service, texts, account, push }: History): Promise<void> {
  const { domain, database } = service;
  const { names } = texts;
  await push({ name: names.database, expire_after_views: 3, expire_after_days: 2 });
  await push({ name: names.wifi, expire_after_days: 30, expire_after_views: 25, kind: 'qr' });
  await push({ recipients: ['Bob', 'Carol'] });
  await push({ name: names.wiki, kind: 'url', payload: 'https://wiki.example.com/start', passphrase: 'x' });
  for (const name of [names.payroll, names.license]) {
    const link = await push({ name, expire_after_views: 1 });
    await domain.pushes.reveal(/\w{26}$/.exec(link)?.[0] ?? '', undefined, {
      account: null,
      client: { ip: '198.51.100.7', userAgent: userAgents.phone, referrer: '', isPreviewer: () => false },
    });
  }
  await database.execute(
    'UPDATE pushes SET created_at = created_at - (expires_at - created_at) / 4, expires_at = expires_at - (expires_at - created_at) / 4',
    {},
  );

  const [alice, bob] = ['U1', 'U2'].map((user) => ({ platform: 'slack' as const, address: `T1:${user}` }));
  if (alice === undefined || bob === undefined) throw new Error('there is nobody');
  const place = { workspace: 'T1', userId: 'U1', label: 'Example' };
  await domain.chat.installations.store('slack', place, {});
  await connectChat(domain, alice, { account, name: '@alice' });
  await connectChat(domain, bob, { name: '@bob' });
  await domain.chat.requests.create(bob, [alice], { reason: texts.reasons.asked });
  await domain.chat.requests.create(alice, [bob], { reason: texts.reasons.asking });
  for (const email of ['carol@example.com', 'dan@example.com', 'eve@example.org'])
    await domain.accounts.create({ email, subscribed: email.startsWith('dan') });
  await domain.accounts.setDisabled('eve@example.org', true, 'operator');
}
