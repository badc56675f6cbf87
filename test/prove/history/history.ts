import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, times } from '../../harness/api.ts';
import { newSharedSettings, startProcess } from '../../harness/process.ts';
import type { Experiment } from '../experiment.ts';

const readersPerView = 10;

/** Reads pushes with more readers than views, and compares what they got with what they may get. */
export const history: Experiment = {
  claim: 'no push is read more often than it may be',
  async run({ seconds }) {
    const folder = await mkdtemp(join(tmpdir(), 'prove-'));
    const service = await startProcess(newSharedSettings(`sqlite:${join(folder, 'hushpush.db')}`));
    const client = createClient(service.port);
    const failures: string[] = [];
    let pushes = 0;
    try {
      for (const end = performance.now() + seconds * 1000; performance.now() < end; pushes++) {
        const views = 1 + (pushes % 3);
        const push = await client.create({ expire_after_views: views });
        const responses = await times(readersPerView * views, () => client.get(push.json));
        const delivered = responses.filter(({ body }) => body.payload === 'tulip').length;
        if (delivered !== views) failures.push(`a push of ${views} views was read ${delivered} times`);
      }
      return { figures: { pushes }, failures };
    } finally {
      client.close();
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
