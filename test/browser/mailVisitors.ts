import { setTimeout as sleep } from 'node:timers/promises';
import type { ParsedMail } from 'mailparser';
import { asForm } from '../harness/api.ts';
import { sameOrigin } from '../harness/forms.ts';
import { openFormBrowser, parseForms } from '../harness/pages.ts';
import type { Site } from '../harness/site.ts';
import type { Visit } from './linkVisitors.ts';

/** What somebody who reads mails on their way does with one. */
export type MailVisit = (mail: ParsedMail, site: Site) => Promise<void>;

/** A form that is sent sooner is refused as too quick. */
const readingMs = 600;
/** What a page does by itself, or after its form was sent, has happened by then. */
const watchedMs = 1_000;
const values = {
  word: 'test',
  passphrase: 'test',
  code: '123456',
  password: 'correct horse battery',
  next: 'correct horse battery',
};

/** Gateways that follow every link of a mail, send the forms that they find, and press one-click unsubscribe. */
export const mailGateways: Record<string, MailVisit> = {
  'a gateway that requests every link of a mail': async (mail, site) => {
    for (const address of linksOf(mail, site))
      for (const method of ['HEAD', 'GET', 'OPTIONS']) await site.api.send(method, pathOf(address));
    await pressOneClick(mail, site);
  },
  'a gateway that sends the forms behind every link, with its cookies': async (mail, site) => {
    for (const address of linksOf(mail, site)) {
      const browser = await openFormBrowser(site.api);
      const path = pathOf(address);
      const forms = parseForms((await browser.get(path)).text);
      await sleep(readingMs);
      for (const { action, fields } of forms) {
        const to = action === '' ? path : pathOf(new URL(action, address).href);
        for (const filled of [{}, values]) await browser.send(to, { ...fields, ...filled }, sameOrigin);
      }
    }
    await pressOneClick(mail, site);
  },
  'Chrome that opens every link of a mail, and runs its scripts': async (mail, site) => {
    for (const address of linksOf(mail, site)) {
      const page = await site.browser.open();
      await page.goto(address);
      await page.page.mouse.wheel(0, 5_000);
      await sleep(2 * watchedMs);
      await page.close();
    }
    await pressOneClick(mail, site);
  },
  'Chrome that fills in the forms behind every link, and sends them with each of their buttons': async (
    mail,
    site,
  ) => {
    for (const address of linksOf(mail, site)) await sendForms(address, site);
    await pressOneClick(mail, site);
  },
};

/** Somebody who does with the link of a recipient, out of their mail, what they do with any link. */
export const byMail =
  (visit: Visit): MailVisit =>
  async (mail, site) => {
    await visit(linksOf(mail, site).find((address) => address.includes('/p/')) ?? '', site);
  };

async function sendForms(address: string, { browser }: Site): Promise<void> {
  const page = await browser.open();
  await page.goto(address);
  const count = await page.page.locator('form button').count();
  for (let index = 0; index < count; index++) {
    await page.goto(address);
    await sleep(readingMs);
    await page.awaitNavigation(() =>
      page.page.evaluate(`{
        const values = ${JSON.stringify(values)};
        for (const field of document.querySelectorAll('input:not([type=hidden])')) {
          if (field.type === 'checkbox') field.checked = true;
          else if (field.type !== 'file') field.value = values[field.name] ?? 'test';
        }
        const button = document.querySelectorAll('form button')[${index}];
        if (button.form) { button.form.noValidate = true; button.type = 'submit'; button.form.requestSubmit(button); }
      }`),
    );
  }
  await sleep(watchedMs);
  await page.close();
}

/** All addresses of the site in a mail: in its parts, and in its header. */
export function linksOf({ text = '', html, headers }: ParsedMail, { base }: Site): string[] {
  const parts = [text, String(html).replaceAll('&amp;', '&'), JSON.stringify([...headers])].join('\n');
  const found = parts.match(/https?:\/\/[^\s"'<>\\]+/g) ?? [];
  return [...new Set(found)].filter((address) => address.startsWith(`${base}/`));
}

/** As mail programs do for whoever does not want more of such mails (RFC 8058). Nothing where the mail does not offer it. */
async function pressOneClick({ headers }: ParsedMail, { api }: Site): Promise<void> {
  const [, address] = /"url":"([^"]+)"/.exec(JSON.stringify(headers.get('list') ?? {})) ?? [];
  if (address === undefined) return;
  await api.send('POST', pathOf(address), { headers: asForm, body: 'List-Unsubscribe=One-Click' });
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}
