import type { Context } from 'mocha';
import { createClient, type Fields } from './api.ts';
import { startBrowser, type TestBrowser } from './browser.ts';
import { createForms } from './forms.ts';
import { freePort } from './mariadb.ts';
import { startService } from './service.ts';

export type Site = Awaited<ReturnType<typeof openSite>>;

/** Starts a service under a base URL with a path, and a browser. Skips the tests if there is no browser. */
export async function startSite(test: Context, environment: Record<string, string> = {}): Promise<Site> {
  return openSite(await startBrowser(test), environment);
}

/** Starts a service under a base URL with a path. It takes over the browser. */
export async function openSite(browser: TestBrowser, environment: Record<string, string> = {}) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const base = `${origin}/hush`;
  const service = await startService({ PORT: String(port), BASE_URL: base, ...environment });
  const api = createClient(port);
  const anonymous = {
    account: null,
    client: { ip: '192.0.2.7', userAgent: '', referrer: '', isPreviewer: () => false },
  };

  return {
    origin,
    base,
    service,
    browser,
    api,
    forms: createForms(service.domain, api),
    /** Creates a push, and returns the URL of its page. */
    async push(fields: Fields = {}, headers: Record<string, string> = {}): Promise<string> {
      return String((await api.create(fields, headers)).push.html_url);
    },
    /** The number of counted views of the push at a URL. */
    async viewsUsed(address: string): Promise<number> {
      const urlToken = /\/p\/(\w{26})/.exec(address)?.[1] ?? '';
      return (await service.domain.pushes.preview(urlToken, anonymous)).viewsUsed;
    },
    async stop(): Promise<void> {
      api.close();
      await browser.close();
      await service.stop();
    },
  };
}
