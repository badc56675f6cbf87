import { expect } from 'chai';
import { reminderAt, reminderTimesIn } from '../../../src/domain/pushes/reminderTimes.ts';

const at = (text: string) => Date.parse(text);

describe('A reminder', () => {
  it('comes in an hour, or in a day', () => {
    const now = at('2026-11-22T14:30:00.123Z');
    expect(reminderAt('hour', now)).to.equal(at('2026-11-22T15:30:00.123Z'));
    expect(reminderAt('day', now)).to.equal(at('2026-11-23T14:30:00.123Z'));
    expect(reminderAt('morning', now)).to.equal(reminderAt('day', now));
  });

  for (const [timeZone, now, morning] of [
    ['Europe/Berlin', '2026-11-22T14:30:00.123Z', '2026-11-23T08:00Z'],
    ['Europe/Berlin', '2026-11-22T23:30Z', '2026-11-24T08:00Z'], // 0:30 on the 23rd
    ['Europe/Berlin', '2026-10-24T12:00Z', '2026-10-25T08:00Z'], // clocks go back
    ['Europe/Berlin', '2027-03-27T12:00Z', '2027-03-28T07:00Z'], // clocks go forward
    ['America/Los_Angeles', '2026-11-23T07:59Z', '2026-11-23T17:00Z'],
    ['Pacific/Auckland', '2026-11-22T14:30Z', '2026-11-23T20:00Z'],
    ['Asia/Kathmandu', '2026-11-22T14:30Z', '2026-11-23T03:15Z'],
    ['UTC', '2026-12-31T23:59:59.999Z', '2027-01-01T09:00Z'],
  ] as const)
    it(`comes at nine in the morning of the next day in ${timeZone}, asked for at ${now}`, () => {
      expect(new Date(reminderAt('morning', at(now), timeZone)).toISOString()).to.equal(
        new Date(morning).toISOString(),
      );
    });

  it('can be asked for tomorrow morning where the time zone is known', () => {
    expect(reminderTimesIn('Europe/Berlin')).to.eql(['hour', 'morning']);
    expect(reminderTimesIn(undefined)).to.eql(['hour', 'day']);
  });
});
