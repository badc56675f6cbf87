import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { hostileWords } from '../browser/hostileWords.ts';
import { type ApiResponse, type Client, createClient } from '../harness/api.ts';
import { cleanUpAfterEach } from '../harness/cleanUp.ts';
import { attributeOf, createForms } from '../harness/forms.ts';
import { lookFolder, png, svg } from '../harness/look.ts';
import { type FormBrowser, openFormBrowser, password, visibleText } from '../harness/pages.ts';
import { startService, type TestService } from '../harness/service.ts';

const acme = {
  name: 'Acme Secrets',
  light: { accent: '#c8102e', background: '#ffffff' },
  dark: { accent: '#ff8a93' },
  footer: { en: 'Acme Ltd. For our customers.', de: 'Acme GmbH. Für unsere Kunden.' },
  links: [
    { text: { en: 'Imprint', de: 'Impressum' }, url: 'https://acme.example/imprint' },
    { text: 'Help', url: 'mailto:help@acme.example' },
  ],
  welcome: { en: 'Send us secrets here.\n\nNever by mail.', de: 'Schick uns Geheimnisse hier.' },
  shareTitle: 'A secret from Acme',
};
const script = '<script>parent.pwned=1;pwned=1</script>';
const images = {
  'logo.svg': svg('#c8102e', script),
  'logo-dark.svg': svg('#ff8a93'),
  'icon.png': png(64, 64),
  'share.png': png(600, 315),
};

const asBrowser = { accept: 'text/html' };

describe('A look of one’s own', () => {
  const cleanUp = cleanUpAfterEach();
  let api: Client;
  let service: TestService;
  let folder: string;

  async function start(look: object | undefined, files: Record<string, string | Buffer> = {}) {
    folder = look === undefined ? '' : await lookFolder(look, files);
    service = await startService({ LOOK_DIR: folder });
    api = createClient(service.port);
    cleanUp(service.stop);
    cleanUp(api.close);
  }

  const imageIn = (text: string, tag: RegExp, attribute: string) =>
    attributeOf(tag.exec(text)?.[0] ?? '', attribute);

  it('that says nothing leaves every page as it is, byte for byte', async () => {
    const pages: string[][] = [];
    for (const look of [undefined, {}]) {
      await start(look);
      const { page } = await api.create({ payload: 'tulip' });
      const paths = [
        '/',
        '/sign-in',
        '/sign-up',
        '/privacy',
        '/support',
        '/docs',
        '/nowhere',
        `/p/${'0'.repeat(26)}`,
        page,
      ];
      const found: ApiResponse[] = [];
      for (const path of paths)
        found.push(
          await api.get(path, asBrowser),
          await api.get(path, { ...asBrowser, cookie: 'hushpush-theme=dark; hushpush-locale=de' }),
        );
      const revealed = await createForms(service.domain, api).reveal({ page });
      pages.push([...found, revealed].map(({ text }) => withoutChance(text)));
    }
    for (const [at, text] of (pages[1] ?? []).entries()) expect(text).to.equal(pages[0]?.[at]);
    expect(pages[0]?.every((text) => text.includes('</svg> hushpush</'))).to.equal(true);
  });

  it('names the service, and shows logo, icon, links and texts on every page', async () => {
    await start(acme, images);
    const { page } = await api.create({ payload: 'tulip' });
    for (const path of ['/', '/sign-in', page, '/nowhere']) {
      const { text } = await api.get(path, asBrowser);
      const [, head = '', body = ''] = /^(.*)<body(.*)$/s.exec(text) ?? [];
      expect(text, path).to.not.include('hushpush<').and.not.include('· hushpush');
      expect(body).to.include('</picture> Acme Secrets</a>');
      expect(head).to.match(
        /<link rel="icon" href="\/assets\/look-icon\.png\?v=[\da-f]{12}" type="image\/png"\/>/,
      );
      expect(head).to.include('<meta name="theme-color" content="#ffffff"/>');
      expect(body).to.include('<bdi>Acme Ltd. For our customers.</bdi>');
      expect(body).to.include('<a href="https://acme.example/imprint"><bdi>Imprint</bdi></a>');
      expect(body).to.include('<a href="mailto:help@acme.example"><bdi>Help</bdi></a>');
      expect(body).to.not.include('One-time links for secrets');
      const isFront = path === '/';
      expect(
        body.includes('<p dir="auto">Send us secrets here.</p><p dir="auto">Never by mail.</p>'),
        path,
      ).to.equal(isFront);
    }
    expect((await api.get('/sign-in')).text).to.include(
      '<p class="narrow" dir="auto">Send us secrets here.</p>',
    );
    expect((await api.get('/')).text).to.include('· Acme Secrets</title>');
    const german = (await api.get('/?locale=de')).text;
    for (const own of ['Acme GmbH. Für unsere Kunden.', 'Impressum', 'Schick uns Geheimnisse hier.'])
      expect(german).to.include(own);
  });

  it('gives link previews its title and image, the same for every link', async () => {
    await start(acme, images);
    for (const path of [(await api.create()).page, `/p/${'0'.repeat(26)}`]) {
      const { text } = await api.get(path);
      expect(text).to.include('<meta property="og:site_name" content="Acme Secrets"/>');
      expect(text).to.include('<meta property="og:title" content="A secret from Acme"/>');
      expect(text).to.match(
        /<meta property="og:image" content="http:\/\/push\.test\/assets\/look-share\.png\?v=[\da-f]{12}"\/>/,
      );
      expect(text)
        .to.include('og:image:width" content="600"/>')
        .and.include('og:image:height" content="315"/>');
    }
    await start({ name: 'Acme' });
    const { text } = await api.get((await api.create()).page);
    expect(text).to.include('og:title').and.not.include('og:image').and.not.include('share.png');
  });

  it('draws pages in its colours, in the theme of the device or the one that was chosen', async () => {
    await start(acme, images);
    const { page } = await api.create();
    for (const path of ['/', page]) {
      const themed = async (theme: string) => {
        const { text } = await api.get(path, { cookie: `hushpush-theme=${theme}` });
        return [...text.matchAll(/<style nonce="[^"]+">([^<]*)<\/style>/g)].at(-1)?.[1] ?? '';
      };
      expect(await themed('system')).to.match(
        /^:root\{[^}]*--accent:#c8102e[^}]*\}\.success\{border-color:#14584f;background:#cfe3dc\}@media \(prefers-color-scheme:dark\)\{:root\{[^}]*--accent:#ff8a93[^}]*\}\.success\{border-color:#84cdbb;background:#24413a\}\}\.brand img/,
      );
      expect(await themed('light'))
        .to.match(/^:root\{[^}]*--accent:#c8102e[^}]*\}\.success\{[^}]*\}\.brand/)
        .and.not.include('#ff8a93');
      expect(await themed('dark'))
        .to.match(/^:root\{[^}]*--accent:#ff8a93[^}]*\}\.success\{[^}]*\}\.brand/)
        .and.not.include('#c8102e');
    }
  });

  it('has a colour in the dark that light pages leave as it is', async () => {
    await start({ dark: { background: '#101820' } });
    const { page } = await api.create();
    for (const path of ['/', page]) {
      const { text } = await api.get(path, { cookie: 'hushpush-theme=system' });
      expect(text).to.match(/@media ?\(prefers-color-scheme: ?dark\) ?\{:root\{[^}]*--background: ?#101820/);
    }
  });

  it('shows the logo of the theme, with its size, and without the name where that is in it', async () => {
    await start({ ...acme, nameInLogo: true }, images);
    const header = async (theme: string) => {
      const { text } = await api.get('/', { cookie: `hushpush-theme=${theme}` });
      return /<a class="brand".*?<\/a>/s.exec(text)?.[0] ?? '';
    };
    expect(await header('system')).to.match(
      /^<a class="brand" href="\/"><picture><source srcset="\/assets\/look-logo-dark\.svg\?v=[^"]+" media="\(prefers-color-scheme: dark\)" width="200" height="100"\/><img src="\/assets\/look-logo\.svg\?v=[^"]+" width="200" height="100" alt="Acme Secrets"\/><\/picture> <\/a>$/,
    );
    expect(await header('dark')).to.match(
      /^<a class="brand" href="\/"><img src="\/assets\/look-logo-dark\.svg\?v=[^"]+" [^>]*> <\/a>$/,
    );
    expect(await header('light')).to.match(
      /^<a class="brand" href="\/"><img src="\/assets\/look-logo\.svg\?v=[^"]+" [^>]*> <\/a>$/,
    );
  });

  it('leaves no way off the page of a secret', async () => {
    await start(acme, images);
    const { page } = await api.create({ payload: 'tulip' });
    const { text } = await createForms(service.domain, api).reveal({ page });
    expect(text)
      .to.include('tulip')
      .and.include('<span class="brand"><picture>')
      .and.include('Acme Ltd. For our customers.');
    expect(text).to.not.include('acme.example');
  });

  it('has images that do nothing when they are opened, and stay in caches under a name that changes with them', async () => {
    await start(acme, images);
    const { text } = await api.get('/');
    const logo = imageIn(text, /<img[^>]*>/, 'src');
    const { status, headers, bytes } = await api.get(logo, { 'accept-encoding': 'br' });
    expect(status).to.equal(200);
    expect(headers).to.include({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(bytes.toString()).to.equal(images['logo.svg']);
    const unversioned = await api.get('/assets/look-icon.png');
    expect(unversioned.headers).to.include({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=3600',
    });
    expect(unversioned.bytes.equals(images['icon.png'])).to.equal(true);
    for (const name of [
      'look.json',
      'look-look.json',
      'logo.svg',
      'look-logo.png',
      '..%2Flook.json',
      'look-..%2Flogo.svg',
    ])
      expect((await api.get(`/assets/${name}`)).status, name).to.equal(404);
    const ours = await api.get('/assets/icon.svg');
    expect(ours.text).to.include('<title>hushpush</title>');
    expect(ours.headers['content-security-policy']).to.not.include('sandbox');
  });

  it('is read once: what changes in the folder changes no page before the next start', async () => {
    await start(acme, images);
    const before = await api.get('/');
    await writeFile(join(folder, 'look.json'), 'broken');
    await rm(join(folder, 'logo.svg'));
    const after = await api.get('/');
    expect(withoutChance(after.text)).to.equal(withoutChance(before.text));
    expect((await api.get(imageIn(after.text, /<img[^>]*>/, 'src'))).status).to.equal(200);
  });

  it('shows hostile words as text', async () => {
    const fitting = (max: number) =>
      hostileWords.filter((words) => words.length <= max && !/[\p{Cc}\u2028\u202e]/u.test(words));
    const [short, long] = [fitting(40), fitting(100)];
    for (let at = 0; at < long.length; at += 8) {
      const words = long.slice(at, at + 8);
      const some = Array.from({ length: 6 }, (_, index) => short[(at + index) % short.length] ?? '');
      await start({
        name: some[0],
        footer: words[0],
        welcome: words.join('\n'),
        shareTitle: words[1] ?? words[0],
        links: some.map((text) => ({ text, url: 'https://acme.example/"><script>pwned=1</script>' })),
      });
      const { page } = await api.create();
      for (const path of ['/', page, '/support']) {
        const { text } = await api.get(path);
        const plain = text.replaceAll(/<(script|style) nonce="[^"]+"[^>]*>[^<]*<\/\1>/g, '');
        for (const each of [...words, ...some])
          if (/[<"]/.test(each)) expect(plain, each).to.not.include(each);
        expect(text).to.not.match(/"><script>pwned/);
        expect((text.match(/<script/g) ?? []).length, path).to.equal(
          (text.match(/<script [^>]*nonce="/g) ?? []).length,
        );
      }
      expect(visibleText(await api.get('/'))).to.include(words[0]?.replaceAll(/\s+/g, ' '));
    }
  });

  describe('Its preview for admins', () => {
    async function asAdmin(): Promise<FormBrowser> {
      await service.domain.accounts.create({ email: 'admin@example.com', isAdmin: true, password });
      const browser = await openFormBrowser(api);
      await browser.submit('/sign-in', '/sign-in', { email: 'admin@example.com', password });
      return browser;
    }

    it('shows what is in the folder now, in its own look, before other pages have it', async () => {
      await start(acme, images);
      const admin = await asAdmin();
      const current = await admin.get('/admin/look');
      expect(visibleText(current)).to.include('All pages have this look.');
      await writeFile(
        join(folder, 'look.json'),
        JSON.stringify({ ...acme, name: 'Acme Vault', light: { accent: '#0b5fff' } }),
      );
      await writeFile(join(folder, 'logo.svg'), svg('#0b5fff'));
      const page = await admin.get('/admin/look');
      const text = visibleText(page);
      expect(text).to.include('Other pages get this look when the service is restarted.');
      expect(text)
        .to.include('Acme Vault')
        .and.include('Send us secrets here.')
        .and.include('Schick uns Geheimnisse hier.');
      expect(page.text).to.include('--accent:#0b5fff').and.include('text of buttons on accent');
      const logo = imageIn(page.text, /<img[^>]*>/, 'src');
      expect(logo).to.match(/^\/admin\/look\/look-logo\.svg\?v=/);
      const image = await admin.get(logo);
      expect(image.bytes.toString()).to.equal(await readFile(join(folder, 'logo.svg'), 'utf8'));
      expect(image.headers).to.include({
        'content-type': 'image/svg+xml',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      });
      expect((await admin.get('/')).text)
        .to.include('Acme Secrets')
        .and.not.include('#0b5fff');
    });

    it('says what is wrong with the folder, while other pages go on', async () => {
      await start(acme, images);
      const admin = await asAdmin();
      await writeFile(join(folder, 'look.json'), JSON.stringify({ light: { accent: '#ff6600' } }));
      const page = await admin.get('/admin/look');
      expect(page.status).to.equal(200);
      expect(visibleText(page)).to.match(
        /would not start .* light\.accent #ff6600 has a contrast of 2\.58 .* would do/,
      );
      expect((await admin.get('/admin/look/look-logo.svg')).status).to.be.within(400, 499);
    });

    it('is not there for others, and nowhere without a folder', async () => {
      await start(acme, images);
      const stranger = await openFormBrowser(api);
      expect((await stranger.get('/admin/look')).status).to.equal(303);
      await stranger.signUp('ann@example.com');
      for (const path of ['/admin/look', '/admin/look/look-logo.svg'])
        expect((await stranger.get(path)).status, path).to.equal(404);
      await start(undefined);
      const admin = await asAdmin();
      expect((await admin.get('/admin/look')).status).to.equal(404);
      expect((await admin.get('/admin')).text).to.not.include('/admin/look');
    });
  });
});

/** A page without what differs each time it is drawn. */
const withoutChance = (text: string) =>
  text
    .replaceAll(/nonce="[^"]+"/g, 'nonce')
    .replaceAll(/name="(nonce|csrf)" value="[^"]+"/g, '$1')
    .replaceAll(/<label for="word">.*?<\/label>/gs, 'word')
    .replaceAll(/\b[0-9A-Za-z]{26}\b/g, 'token')
    .replaceAll(/data-remaining-ms="\d+"/g, 'left')
    .replaceAll(/datetime="[^"]+">[^<]+</g, 'time');
