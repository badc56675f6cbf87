import { expect } from 'chai';
import { formatsOf } from '../../src/locales/formats.ts';

describe('the formats of a language', () => {
  it('choose the plural form that the language has for a number', () => {
    const { count } = formatsOf('pl');
    const forms = { one: '# plik', few: '# pliki', many: '# plików', other: '# pliku' };
    expect([1, 3, 5, 1.5].map((number) => count(number, forms))).to.deep.equal([
      '1 plik',
      '3 pliki',
      '5 plików',
      '1,5 pliku',
    ]);
  });

  it('use the form “other” where a language has none for the category of a number', () => {
    expect(formatsOf('ar').count(2, { other: '# ملف' })).to.match(/ملف/);
  });
});
