import { expect } from 'chai';
import fc from 'fast-check';
import { readPartHead } from '../../../src/http/body/partHead.ts';

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).filter((made) => made.isWellFormed());

/** The name of a file as the part of its path after the last separator. */
const baseName = (path: string) => path.split(/[/\\]/).at(-1) ?? '';

function filenameIn(disposition: string): string | undefined {
  const head = readPartHead({ 'content-disposition': [disposition] });
  return head.kind === 'file' ? head.file.filename : undefined;
}

describe('The file name in a Content-Disposition', () => {
  it('is read from a quoted string of UTF-8, without its path', () => {
    fc.assert(
      fc.property(text, (name) => {
        fc.pre(!['.', '..'].includes(baseName(name)));
        const bytes = Buffer.from(name.replaceAll(/["\\]/g, '\\$&')).toString('latin1');
        expect(filenameIn(`form-data; name="f"; filename="${bytes}"`)).to.equal(baseName(name));
      }),
    );
  });

  it('has no folder of the sender in it, which is private', () => {
    for (const path of ['/home/ann/a.txt', 'C:\\\\Users\\\\ann\\\\a.txt', '../a.txt'])
      expect(filenameIn(`form-data; name="f"; filename="${path}"`), path).to.equal('a.txt');
  });

  it('is read as a browser escapes it: quotes and line breaks, and nothing else', async () => {
    for (const name of ['a"b.txt', '"', 'a\r\nb', '100%.txt', 'a%20b', '%2522', 'ü"%41']) {
      const form = new FormData();
      form.append('f', new File(['tulip'], name));
      const encoded = Buffer.from(await new Response(form).arrayBuffer()).toString('latin1');
      const disposition = /Content-Disposition: (.*)\r\n/.exec(encoded)?.[1] ?? '';
      expect(filenameIn(disposition), disposition).to.equal(name);
    }
  });

  it('is read from percent-encoded UTF-8, which takes precedence', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('', 'en', 'de-AT'), (name, language) => {
        fc.pre(!['.', '..'].includes(baseName(name)));
        const encoded = encodeURIComponent(name).replaceAll("'", '%27');
        const disposition = `form-data; name="f"; filename="x"; filename*=UTF-8'${language}'${encoded}`;
        expect(filenameIn(disposition)).to.equal(baseName(name));
      }),
    );
  });
});
