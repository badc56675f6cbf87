import { expect } from 'chai';
import { startService, type TestService } from '../../harness/service.ts';

const minuteMs = 60_000;

describe('A lease', () => {
  let service: TestService;

  before(async () => {
    service = await startService();
  });

  after(() => service.stop());

  const lease = (name: string, lifetimeMs = minuteMs) => service.domain.leases.of(name, lifetimeMs);

  it('has one holder, however many want it at once, who can renew it', async () => {
    const all = Array.from({ length: 8 }, () => lease('one'));
    const acquired = await Promise.all(all.map(({ acquire }) => acquire()));
    expect(acquired.filter(Boolean)).to.have.length(1);
    const again = await Promise.all(all.map(({ acquire }) => acquire()));
    expect(again).to.eql(acquired);
  });

  it('passes to another holder only once it is released or has expired', async () => {
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

  it('ends if it was taken while the database’s clock was ahead', async () => {
    const [first, second] = [lease('ahead'), lease('ahead')];
    expect(await first.acquire()).to.equal(true);
    await service.database.execute(
      "UPDATE leases SET expires_at = expires_at + 7200000 WHERE name = 'ahead'",
      {},
    );
    expect(await second.acquire()).to.equal(true);
  });

  it('stays with its holder if another began to ask before it was renewed, and waited for its lock', async () => {
    const [first, second] = [lease('waited'), lease('waited')];
    expect(await first.acquire()).to.equal(true);
    // as a statement of 3 s ago sees it, whose time is that of its start
    await service.database.execute(
      "UPDATE leases SET expires_at = expires_at + 3000 WHERE name = 'waited'",
      {},
    );
    expect(await second.acquire()).to.equal(false);
  });

  it('does not affect leases of other names', async () => {
    expect(await lease('three').acquire()).to.equal(true);
    expect(await lease('four').acquire()).to.equal(true);
  });
});
