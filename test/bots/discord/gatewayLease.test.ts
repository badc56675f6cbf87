import { expect } from 'chai';
import { createLeasedGateway, gatewayLeaseMs } from '../../../src/bots/discord/gatewayLease.ts';
import { unavailable } from '../../../src/domain/index.ts';
import { startService, type TestService } from '../../harness/service.ts';
import { until } from '../../harness/until.ts';

describe('The process that has Discord’s gateway', () => {
  let service: TestService;

  before(async () => {
    service = await startService();
  });

  after(() => service.stop());

  const leaseOf = () => service.domain.leases.of('discord gateway', gatewayLeaseMs);

  /** A process that listens, with a lease of its own, which may be disturbed. */
  function start(lease = leaseOf()) {
    const state = { isListening: false };
    const listen = async (signal: AbortSignal) => {
      state.isListening = true;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      state.isListening = false;
    };
    const process = createLeasedGateway({ gateway: { listen }, lease, onError: () => {} });
    process.start();
    return Object.assign(state, { stop: process.stop });
  }

  it('gives it up when it stops, so that another one need not wait', async () => {
    const first = start();
    await until(() => first.isListening);
    const other = leaseOf();
    expect(await other.acquire()).to.equal(false);
    await first.stop();
    expect(await other.acquire()).to.equal(true);
    await other.release();
  });

  it('keeps it while the database is away, as nobody else can take it then', async () => {
    const lease = leaseOf();
    let [isAway, renewals] = [false, 0];
    const disturbed = {
      ...lease,
      async acquire() {
        if (!isAway) return lease.acquire();
        renewals += 1;
        throw unavailable('databaseUnreachable');
      },
    };
    const process = start(disturbed);
    await until(() => process.isListening);
    isAway = true;
    await until(() => renewals >= 2);
    expect(process.isListening).to.equal(true);
    await process.stop();
  });
});
