import { expect } from 'chai';
import { peopleIn, timeInWords } from '../../src/bots/inWords.ts';

describe('A card in a chat that shows neither names nor times by itself', () => {
  const time = Date.UTC(2026, 10, 23, 14, 2);

  it('has times in the language and the time zone of its reader, or in UTC where that is unknown', () => {
    const words = (locale: string, timeZone?: string) =>
      timeInWords({ time, as: 'moment' }, { locale, timeZone });
    expect(words('en', 'America/New_York')).to.match(/^Nov 23, 2026, 9:02\sAM$/);
    expect(words('de', 'Europe/Berlin')).to.equal('23.11.2026, 15:02');
    expect(words('de')).to.equal('23.11.2026, 14:02 UTC');
    expect(timeInWords({ time, as: 'date' }, { locale: 'en' })).to.equal('Nov 23, 2026');
  });

  it('names everybody who is mentioned in it, once', () => {
    const line = (person: string) => ['by ', { person }];
    const item = { line: line('c'), buttons: [], label: '', details: { id: '', value: '' } };
    const card = { summary: line('a'), lines: [line('a'), line('b')], items: [item], footnotes: [line('d')] };
    expect(peopleIn(card)).to.have.members(['a', 'b', 'c', 'd']);
  });
});
