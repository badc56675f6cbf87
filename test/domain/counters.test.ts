import { expect } from 'chai';
import { createCounters } from '../../src/domain/limits/counters.ts';
import { startService, type TestService } from '../harness/service.ts';

const rate = { points: 5, seconds: 900 };

describe('A counter', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const windowEnds = () =>
    service.database.execute('UPDATE rate_limits SET expires_at = expires_at - 900000', {});

  it('takes a point back from the window that it was given in', async () => {
    const counters = createCounters(service.database);
    await counters.hold('same', rate, async () => true);
    expect(await counters.remaining('same', rate)).to.equal(5);
  });

  it('takes no point back from a later window', async () => {
    const counters = createCounters(service.database);
    await counters.hold('later', rate, async () => {
      await windowEnds();
      for (let i = 0; i < 3; i++) await counters.consume('later', rate);
      return true;
    });
    expect(await counters.remaining('later', rate)).to.equal(2);
  });

  it('counts far beyond its rate', async () => {
    const counters = createCounters(service.database);
    await counters.add('far', 999_999_999, 900);
    expect((await counters.add('far', 1_000, 900)).points).to.equal(1_000_000_999);
  });
});
