import { expect } from 'chai';
import { readDueTime } from '../../src/bots/dueTime.ts';
import { readNames } from '../../src/bots/interactions/typed.ts';
import { locales, messagesOf } from '../../src/locales/locales.ts';

const languages = locales.map((locale) => messagesOf(locale).chat);
const [hour, day] = [60, 24 * 60];

describe('A request that is typed', () => {
  for (const [text, reason, dueInMinutes] of [
    ['the VPN key within 2 days', 'the VPN key', 2 * day],
    ['within 2 days: the VPN key', 'the VPN key', 2 * day],
    ['Within an hour the VPN key', 'the VPN key', hour],
    ['the VPN key, within 90 minutes.', 'the VPN key', 90],
    ['within 1 week', '', 7 * day],
    ['the key\nof the VPN within 4hours', 'the key\nof the VPN', 4 * hour],
    ['den Schlüssel innerhalb von zwei Tagen', 'den Schlüssel innerhalb von zwei Tagen', undefined],
    ['den Schlüssel innerhalb von 2 Tagen', 'den Schlüssel', 2 * day],
    ['binnen einer Woche den Schlüssel', 'den Schlüssel', 7 * day],
    ['what we agreed within 2 days of work', 'what we agreed within 2 days of work', undefined],
    ['within 2 daylights', 'within 2 daylights', undefined],
    ['withins 2 days', 'withins 2 days', undefined],
    ['the key within 99999 days', 'the key within 99999 days', undefined],
    ['the key within 0 days', 'the key', 0],
    ['', '', undefined],
  ] as const)
    it(`is due after ${dueInMinutes ?? 'the usual'} minutes with “${text}”`, () => {
      expect(readDueTime(text, languages)).to.eql({
        reason,
        ...(dueInMinutes !== undefined && { dueInMinutes }),
      });
    });

  it('reads a long text as fast as a short one', () => {
    const texts = [
      'within '.repeat(500),
      ' '.repeat(4_000),
      `within${' '.repeat(4_000)}x`,
      '1 '.repeat(2_000),
    ];
    for (const text of texts) expect(readDueTime(`${text}x`, languages)).to.eql({ reason: `${text}x` });
  });

  it('begins with the names of who is asked', () => {
    for (const [text, names, rest] of [
      ['@bob the key', ['bob'], 'the key'],
      ['@bob @carol.d: the key', ['bob', 'carol.d'], 'the key'],
      ['@bob, @carol and @dan the key', ['bob', 'carol', 'dan'], 'the key'],
      ['@bob and a key', ['bob'], 'and a key'],
      ['@bob', ['bob'], ''],
      ['the key of @bob', [], 'the key of @bob'],
      ['', [], ''],
    ] as const)
      expect(readNames(text), text).to.eql({ names, rest });
  });
});
