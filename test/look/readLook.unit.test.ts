import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigError } from '../../src/errors.ts';
import { defaultLook } from '../../src/look/look.ts';
import { readLook } from '../../src/look/readLook.ts';
import { hostileWords } from '../browser/hostileWords.ts';
import { lookFolder, png, svg } from '../harness/look.ts';

/** What is wrong with a folder, a line each. */
async function problemsOf(folder: string): Promise<string[]> {
  const error: unknown = await readLook(folder).then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof ConfigError)) return expect.fail(`not a ConfigError: ${error}`);
  const [first, ...lines] = error.message.split('\n');
  expect(error.message).to.include(folder).and.include('LOOK_DIR');
  return lines.length === 0 ? [first ?? ''] : lines.map((line) => line.trim());
}

const problemsWith = async (...args: Parameters<typeof lookFolder>) => problemsOf(await lookFolder(...args));

describe('The folder of a look', () => {
  it('changes nothing that it says nothing of', async () => {
    const { version, ...look } = await readLook(await lookFolder({}));
    const { version: ours, ...rest } = defaultLook;
    expect(look).to.deep.equal(rest);
    expect(version)
      .to.match(/^[\da-f]{12}$/)
      .and.not.equal(ours);
  });

  it('has a name, texts for each language, links and images', async () => {
    const folder = await lookFolder(
      {
        name: ' Acme Secrets ',
        light: { accent: '#C8102E' },
        footer: 'Acme Ltd',
        links: [{ text: { en: 'Imprint', de: 'Impressum' }, url: 'https://acme.example/imprint' }],
        welcome: { de: 'Willkommen\nbei Acme' },
        shareTitle: { en: 'A secret from Acme' },
      },
      {
        'logo.svg': svg('red'),
        'logo-dark.png': png(40, 20),
        'icon.svg': svg('red'),
        'share.png': png(300, 200),
      },
    );
    const look = await readLook(folder);
    expect(look.name).to.equal('Acme Secrets');
    expect(look.palettes.light.accent).to.equal('#c8102e');
    expect(look.footer).to.deep.equal({ en: { text: 'Acme Ltd' }, de: { text: 'Acme Ltd' } });
    expect(look.links).to.deep.equal([
      { text: { en: { text: 'Imprint' }, de: { text: 'Impressum' } }, url: 'https://acme.example/imprint' },
    ]);
    expect(look.welcome?.en).to.deep.equal({ text: 'Willkommen\nbei Acme', lang: 'de' });
    expect(look.shareTitle?.de).to.deep.equal({ text: 'A secret from Acme', lang: 'en' });
    const { light, dark } = look.logo ?? expect.fail('there is no logo');
    expect(light).to.include({ type: 'image/svg+xml', width: 40, height: 20 });
    expect(light.path).to.match(/^\/assets\/look-logo\.svg\?v=[\da-f]{12}$/);
    expect(dark).to.include({ name: 'look-logo-dark.png', type: 'image/png', width: 40, height: 20 });
    expect(look.shareImage).to.include({ width: 300, height: 200 });
    expect(look.icon?.content.toString()).to.equal(svg('red'));
  });

  it('has another version, and its images another path, once anything changed', async () => {
    const folder = await lookFolder({ name: 'Acme' }, { 'logo.svg': svg('red') });
    const first = await readLook(folder);
    expect(await readLook(folder)).to.deep.equal(first);
    await writeFile(join(folder, 'logo.svg'), svg('blue'));
    const second = await readLook(folder);
    expect(second.version).to.not.equal(first.version);
    expect(second.logo?.light.path).to.not.equal(first.logo?.light.path);
    await writeFile(join(folder, 'look.json'), '{"name":"Other"}');
    expect((await readLook(folder)).version).to.not.equal(second.version);
  });

  it('is refused where it cannot be read or has no look.json, as an empty folder that was mounted by mistake', async () => {
    expect(await problemsOf('/nowhere/look')).to.deep.equal([
      'The folder /nowhere/look of LOOK_DIR cannot be read (ENOENT).',
    ]);
    expect(await problemsWith(undefined)).to.deep.equal(['look.json cannot be read (ENOENT)']);
  });

  it('is refused with every problem at once, in words', async () => {
    const problems = await problemsWith(
      {
        name: '',
        nameInLogo: 'yes',
        light: { accent: 'red', link: '#000000' },
        footer: 'x'.repeat(201),
        links: [{ text: 'x', url: 'javascript:alert(1)' }, { text: 'x' }],
        welcome: { fr: 'Bonjour' },
        colors: {},
      },
      { 'logo.gif': 'GIF89a', 'icon.png': 'no image', 'README.md': '' },
    );
    const line = 'of 1 to 40 characters, in one line and without control characters';
    expect(problems).to.have.members([
      'README.md has no meaning here; there may be look.json, logo.svg, logo.png, logo-dark.svg, logo-dark.png, icon.svg, icon.png, share.png',
      'logo.gif has no meaning here; there may be look.json, logo.svg, logo.png, logo-dark.svg, logo-dark.png, icon.svg, icon.png, share.png',
      'icon.png is not a PNG',
      `look.json: name must be a text ${line}`,
      'look.json: nameInLogo must be true or false',
      'look.json: light.accent must be a colour such as "#14584f"',
      'look.json: light has no link; it may have accent, background, surface',
      'look.json: footer must be a text of 1 to 200 characters, in one line and without control characters, or one for each language, such as {"en": "…", "de": "…"}; the languages are en, de',
      'look.json: links.0.url must be an address that begins with https:, http: or mailto:',
      'look.json: links.1.url must be an address that begins with https:, http: or mailto:',
      'look.json: welcome must be a text of 1 to 1000 characters, without control characters except line breaks, or one for each language, such as {"en": "…", "de": "…"}; the languages are en, de',
      'look.json: has no colors; it may have name, nameInLogo, light, dark, footer, links, welcome, shareTitle',
    ]);
  });

  it('is refused with a colour below AA, and says which would do', async () => {
    const problems = await problemsWith({ light: { accent: '#ff6600' }, dark: { background: '#777777' } });
    expect(problems).to.have.length(2);
    expect(problems[0]).to.match(
      /^light\.accent #ff6600 has a contrast of 2\.58 with the background #f4f0e7, and needs 4\.5; #[\da-f]{6} would do$/,
    );
    expect(problems[1]).to.match(
      /^dark\.background #777777 has a contrast of 3\.\d+ with the text #ece7db, and needs 4\.5; #[\da-f]{6} would do$/,
    );
  });

  it('is refused where look.json is no JSON, no object, too large or not UTF-8', async () => {
    expect((await problemsWith('{"name": }')).join()).to.match(/^look\.json is not JSON: /);
    expect(await problemsWith('[]')).to.deep.equal([
      'look.json: must be an object with name, nameInLogo, light, dark, footer, links, welcome, shareTitle',
    ]);
    expect(await problemsWith(JSON.stringify({ name: 'x'.repeat(70_000) }))).to.deep.equal([
      'look.json has 70011 bytes; at most 65536 are allowed',
    ]);
    const latin1 = await lookFolder(undefined, { 'look.json': Buffer.from('{"name":"Müller"}', 'latin1') });
    expect(await problemsOf(latin1)).to.deep.equal(['look.json is not text in UTF-8']);
  });

  it('takes no control characters and none that turn the direction of text', async () => {
    for (const sign of ['\n', '\t', '\0', '\u009b', '\u2028', '\u202e', '\u2066', '\u200f']) {
      for (const name of ['name', 'footer', 'shareTitle'])
        expect((await problemsWith({ [name]: `a${sign}b` })).join(), JSON.stringify(sign)).to.include(
          `look.json: ${name} must be`,
        );
      const isLineBreak = sign === '\n';
      const welcome = await lookFolder({ welcome: `a${sign}b` });
      if (isLineBreak) await readLook(welcome);
      else expect((await problemsOf(welcome)).join()).to.include('look.json: welcome must be');
    }
    const { name } = await readLook(await lookFolder({ name: 'سر 👩‍💻' }));
    expect(name).to.equal('سر 👩‍💻');
  });

  it('has only links to pages and mail addresses, without what ends an address in a chat', async () => {
    const bad = [
      'javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '//evil.test',
      '/privacy',
      'JAVASCRIPT:x',
      '',
    ];
    for (const url of bad)
      expect((await problemsWith({ links: [{ text: 'x', url }] })).join(), url).to.include(
        'must be an address',
      );
    const urls = ['https://acme.example/a?b=(c)|d', 'mailto:help@acme.example'].map((url) => ({
      text: 'x',
      url,
    }));
    const { links } = await readLook(await lookFolder({ links: urls }));
    expect(links.map(({ url }) => url)).to.deep.equal([
      'https://acme.example/a?b=%28c%29%7cd',
      'mailto:help@acme.example',
    ]);
    const seven = Array.from({ length: 7 }, () => ({ text: 'x', url: 'https://acme.example' }));
    expect(await problemsWith({ links: seven })).to.deep.equal([
      'look.json: links must have at most 6 entries',
    ]);
  });

  describe('Its images', () => {
    const problemsWithImage = (name: string, content: string | Buffer) =>
      problemsWith({}, { [name]: content });

    it('must be what their names say', async () => {
      expect(await problemsWithImage('logo.png', svg('red'))).to.deep.equal(['logo.png is not a PNG']);
      expect(await problemsWithImage('logo.png', png(4, 4).subarray(0, -4))).to.deep.equal([
        'logo.png is cut off',
      ]);
      expect(await problemsWithImage('share.png', png(5_000, 2))).to.deep.equal([
        'share.png has 5000 × 2 pixels; at most 4096 each way are allowed',
      ]);
      const notSvg = 'logo.svg is not an SVG: it must begin with <svg xmlns="http://www.w3.org/2000/svg" …>';
      const html =
        '<!doctype html><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/><script>x</script>';
      for (const text of ['', 'tulip', '<svg viewBox="0 0 1 1"/>', `<html>${svg('red')}</html>`, `x${html}`])
        expect(await problemsWithImage('logo.svg', text), text).to.deep.equal([notSvg]);
      expect(await problemsWithImage('logo.svg', png(1, 1))).to.deep.equal(['logo.svg is not text in UTF-8']);
      expect(
        await problemsWithImage('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"></svg>'),
      ).to.deep.equal(['logo.svg has no size: give its first element a viewBox']);
    });

    it('may have a declaration, a document type, comments and a size in pixels', async () => {
      const text = `\ufeff<?xml version="1.0"?>\n<!-- made - by hand -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n<svg\n  width='120px' height='30'\n  xmlns='http://www.w3.org/2000/svg'><path d="M0 0"/></svg>`;
      const { logo } = await readLook(await lookFolder({}, { 'logo.svg': text }));
      expect(logo?.light).to.include({ width: 120, height: 30 });
    });

    it('refer to nothing elsewhere, which browsers would not load', async () => {
      for (const more of [
        '<image href="https://evil.test/x.png"/>',
        '<image xlink:href="//evil.test/x.png"/>',
        '<style>@import url(https://evil.test/x.css);</style>',
        '<style>rect{fill:url( "http://evil.test/x" )}</style>',
        '<script src="https://evil.test/x.js"/>',
      ])
        expect((await problemsWithImage('logo.svg', svg('red', more))).join(), more).to.include(
          'refers to another place',
        );
      const entities = `<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svg('red')}`;
      expect(await problemsWithImage('logo.svg', entities)).to.deep.equal([
        'logo.svg has entities; save it as plain SVG',
      ]);
    });

    it('are read at once, whatever is in them', async () => {
      for (const start of ['href=', 'href', 'url(', '@import']) {
        const folder = await lookFolder({}, { 'logo.svg': svg('red', start + ' '.repeat(100_000)) });
        const began = performance.now();
        await readLook(folder);
        expect(performance.now() - began, start).to.be.below(1_000);
      }
    });

    it('have a size that pages can bear', async () => {
      for (const [name, max] of [
        ['logo.svg', 131_072],
        ['logo-dark.svg', 131_072],
        ['icon.svg', 65_536],
      ] as const) {
        const [problem] = await problemsWith(
          {},
          { 'logo.svg': svg('red'), [name]: svg('red', ' '.repeat(max)) },
        );
        expect(problem).to.match(new RegExp(`^${name} has \\d+ bytes; at most ${max} are allowed$`));
      }
    });

    it('need their fellows, and stand alone', async () => {
      expect(await problemsWith({}, { 'logo.svg': svg('red'), 'logo.png': png(1, 1) })).to.deep.equal([
        'logo.png is there beside logo.svg; remove one of them',
      ]);
      expect(await problemsWithImage('logo-dark.svg', svg('red'))).to.deep.equal([
        'logo-dark needs a logo.svg or logo.png beside it',
      ]);
      expect(await problemsWith({ nameInLogo: true })).to.deep.equal([
        'look.json: nameInLogo needs a logo.svg or logo.png',
      ]);
    });

    it('stay in the folder: links of Kubernetes work, links elsewhere do not', async () => {
      const outside = join(await lookFolder({}, { 'secret.svg': svg('red') }), 'secret.svg');
      const folder = await lookFolder({});
      await symlink(outside, join(folder, 'logo.svg'));
      expect(await problemsOf(folder)).to.deep.equal(['logo.svg is a link to a place outside the folder']);

      const beside = await lookFolder({});
      await mkdir(`${beside}-other`);
      await writeFile(join(`${beside}-other`, 'logo.svg'), svg('red'));
      await symlink(join(`${beside}-other`, 'logo.svg'), join(beside, 'logo.svg'));
      expect(await problemsOf(beside)).to.deep.equal(['logo.svg is a link to a place outside the folder']);

      const mounted = await lookFolder(undefined);
      await mkdir(join(mounted, '..2026_11_27'));
      await writeFile(join(mounted, '..2026_11_27', 'look.json'), '{"name":"Acme"}');
      await symlink('..2026_11_27', join(mounted, '..data'));
      await symlink('..data/look.json', join(mounted, 'look.json'));
      expect((await readLook(mounted)).name).to.equal('Acme');
    });

    it('are files', async () => {
      const folder = await lookFolder({});
      await mkdir(join(folder, 'logo.svg'));
      expect(await problemsOf(folder)).to.deep.equal(['logo.svg is not a file']);
    });
  });

  it('is what its page describes, with the answer that stands there', async () => {
    const page = await readFile(new URL('../../docs/look.md', import.meta.url), 'utf8');
    const [, example = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
    const look = await readLook(await lookFolder(example, { 'logo.svg': svg('red') }));
    expect(look.name).to.equal('Acme Secrets');
    expect(look.palettes.light.accent).to.equal('#a50f2d');
    const [, answer] = /^ {2}(light\.accent .*)$/m.exec(page) ?? [];
    expect(await problemsWith({ light: { accent: '#ff6600' } })).to.deep.equal([answer]);
    for (const name of [
      ...Object.keys(JSON.parse(example)),
      ...['logo.svg', 'logo-dark.png', 'icon.png', 'share.png'],
    ])
      expect(page).to.match(new RegExp(`^\\|.*\`${name}\``, 'm'));
  });

  it('takes hostile words as texts, or refuses them, and never fails in another way', async () => {
    for (const words of hostileWords) {
      const folder = await lookFolder({
        name: words,
        footer: words,
        welcome: words,
        links: [{ text: words, url: words }],
      });
      await problemsOf(folder);
    }
  });
});
