import { domainSettings, readConfig } from '../../src/config.ts';
import { newKey } from '../../src/crypto/keyring.ts';
import { createDomain, DomainError } from '../../src/domain/index.ts';
import { findActiveKeyId, requireMatchingKeys } from '../../src/domain/keys/keyChecks.ts';
import { bearer } from '../../test/harness/api.ts';
import {
  newSharedSettings,
  openServiceDatabase,
  type SharedSettings,
  startProcess,
} from '../../test/harness/process.ts';
import { createAccount } from '../../test/harness/service.ts';
import { startTraffic } from '../../test/harness/traffic.ts';
import { until, untilLater } from '../../test/harness/until.ts';
import type { Experiment, Outcome, ProveOptions } from './experiment.ts';
import { openTestedDatabase } from './history/databases.ts';

/** Longer than a key waits for every process, and than the removal of the key before waits for late writes. */
const waitMs = 300_000;

/** Replaces the master key of two processes by rolling restarts, as with MASTER_KEYS on several machines. */
export const rotation: Experiment = {
  claim: 'A master key is replaced under traffic without a failed request or a lost view.',
  run,
};

async function run({ database }: ProveOptions): Promise<Outcome> {
  const tested = await openTestedDatabase(database);
  try {
    return await rotate(newSharedSettings(tested.urls[0] ?? ''));
  } finally {
    await tested.close();
  }
}

async function rotate(shared: SharedSettings): Promise<Outcome> {
  const oldKeys = shared.MASTER_KEYS;
  const newKeys = `2:${newKey()}`;
  const processes = [await startProcess(shared), await startProcess(shared)];
  const open = openServiceDatabase({ ...shared, MASTER_KEYS: `${newKeys},${oldKeys}` });
  const domain = createDomain({
    database: open.database,
    keyring: open.keyring,
    settings: domainSettings(readConfig({ RATE_LIMITS: 'off' })),
  });
  await requireMatchingKeys(open.database, open.keyring);
  const { token } = await createAccount(domain, 'ann@example.com');
  let ports = processes.map(({ port }) => port);
  const traffic = startTraffic(() => ports, bearer(token));
  let restarts = 0;

  /** Restarts one process after the other, each once the load balancer sends it nothing more. */
  async function restartAll(masterKeys: string): Promise<void> {
    for (const [index, process] of [...processes.entries()]) {
      ports = processes.filter((other) => other !== process).map(({ port }) => port);
      await untilLater(() => traffic.isIdle(process.port));
      await process.stop();
      processes[index] = await startProcess({ ...shared, MASTER_KEYS: masterKeys });
      ports = processes.map(({ port }) => port);
      restarts += 1;
    }
  }

  async function isRemovable(): Promise<boolean> {
    await domain.keys.reseal();
    return domain.keys.requireRemovable(1).then(
      () => true,
      (error) => {
        if (error instanceof DomainError && error.code === 'conflict') return false;
        throw error;
      },
    );
  }

  try {
    await restartAll(`${newKeys},${oldKeys}`);
    const restartedAt = performance.now();
    await until(async () => (await findActiveKeyId(open.database)) === 2, waitMs);
    const activeAfterMs = performance.now() - restartedAt;
    await requireMatchingKeys(open.database, open.keyring);
    await until(isRemovable, waitMs);
    const removableAfterMs = performance.now() - restartedAt;
    await restartAll(newKeys);
    const soFar = traffic.result.pushes;
    await untilLater(() => traffic.result.pushes > soFar + 50);
    const { failures, lost, over, ...counts } = await traffic.stop();
    return {
      figures: {
        ...counts,
        lost,
        over,
        restarts,
        'responses of 500 and above': failures.length,
        'seconds until the new key was active': Math.round(activeAfterMs / 1_000),
        'seconds until the old key was removable': Math.round(removableAfterMs / 1_000),
      },
      failures: [
        ...new Set(failures.map((failure) => `a request failed: ${failure.replace(/\/p\/\w+/, '/p/…')}`)),
        ...(lost > 0 ? [`${lost} views were lost`] : []),
        ...(over > 0 ? [`${over} views were given away`] : []),
      ],
    };
  } finally {
    await Promise.all(processes.map((process) => process.stop()));
    await open.close();
  }
}
