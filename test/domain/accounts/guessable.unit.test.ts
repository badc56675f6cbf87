import { expect } from 'chai';
import { isGuessable } from '../../../src/domain/accounts/accountSchema.ts';

describe('Passwords that are easy to guess', () => {
  for (const password of [
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'abcdefghijklmnop',
    '123456789012',
    'qwertyuiopasdf',
    'Password1234',
    'passwordpassword',
    'hushpushhushpush1!',
    'Willkommen123!',
    'Passwort2024!!', // five characters that surprise
  ])
    it(`refuses ${password}`, () => expect(isGuessable(password)).to.equal(true));

  for (const password of [
    'correct horse battery',
    'twelve or more',
    'mein Hund frisst Tulpen',
    '7Vq!m2Zr9#Lx',
    '漢字かな交じり文の合言葉です',
    '😀🐘🌷🚲🎻🧊🍋🪁🎲🔭🪵🧭',
  ])
    it(`accepts ${password}`, () => expect(isGuessable(password)).to.equal(false));
});
