import { expect } from 'chai';
import { startService, type TestService } from '../harness/service.ts';

const minuteMs = 60_000;

describe('leases', () => {
  let service: TestService;

  before(async () => {
    service = await startService();
  });

  after(() => service.stop());

  const lease = (name: string, lifetimeMs = minuteMs) => service.domain.leases.of(name, lifetimeMs);

  it('have one holder, of many who want them at once, who may renew them', async () => {
    const all = Array.from({ length: 8 }, () => lease('one'));
    const taken = await Promise.all(all.map(({ acquire }) => acquire()));
    expect(taken.filter(Boolean)).to.have.length(1);
    const again = await Promise.all(all.map(({ acquire }) => acquire()));
    expect(again).to.eql(taken);
  });

  it('go to somebody else once they are released, or have ended, and only then', async () => {
    const [first, second] = [lease('two'), lease('two')];
    expect(await first.acquire()).to.equal(true);
    await second.release();
    expect(await second.acquire()).to.equal(false);
    await first.release();
    expect(await second.acquire()).to.equal(true);
    expect(await first.acquire()).to.equal(false);
    await service.database.execute("UPDATE leases SET expires_at = 1 WHERE name = 'two'", {});
    expect(await first.acquire()).to.equal(true);
    expect(await second.acquire()).to.equal(false);
  });

  it('have nothing to do with one another', async () => {
    expect(await lease('three').acquire()).to.equal(true);
    expect(await lease('four').acquire()).to.equal(true);
  });
});
