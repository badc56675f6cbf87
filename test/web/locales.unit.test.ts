import { expect } from 'chai';
import { formatsOf } from '../../src/locales/formats.ts';

describe('Locale formats', () => {
  it('picks the plural form that the language uses for a number', () => {
    const { count } = formatsOf('pl');
    const forms = { one: '# plik', few: '# pliki', many: '# plików', other: '# pliku' };
    expect([1, 3, 5, 1.5].map((number) => count(number, forms))).to.deep.equal([
      '1 plik',
      '3 pliki',
      '5 plików',
      '1,5 pliku',
    ]);
  });

  it('falls back to the plural form “other” where a category has no text', () => {
    expect(formatsOf('ar').count(2, { other: '# ملف' })).to.match(/ملف/);
  });
});
