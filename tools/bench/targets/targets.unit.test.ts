import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { runJob } from '../load/generator.ts';
import { createRivalServer, rivalApis } from './rivalApis.ts';
import { rivals, targets } from './targets.ts';

const items = ['tulip', 'daffodil', 'peony', 'rose', 'aster'];
const servers: Server[] = [];

async function start(rival: string) {
  const stored = new Map<string, unknown>();
  const api = rivalApis[rival]?.(stored);
  if (api === undefined) throw new Error(`nothing answers as ${rival}`);
  const server = createRivalServer(api).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { stored, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('The bench', () => {
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  for (const target of Object.keys(rivals)) {
    it(`creates and retrieves at ${target} through its documented API, each secret as often as allowed`, async () => {
      const { stored, url } = await start(target);
      const job = { target, url, connections: 2 };
      const created = await runJob({ ...job, step: 'create', items });
      expect(created.requests).to.equal(5);
      expect(stored).to.have.property('size', 5);
      const retrieved = await runJob({ ...job, step: 'retrieve', items: created.items });
      expect(retrieved.requests).to.equal(5 * (targets[target]?.retrieve?.times ?? 1));
      expect(retrieved.latencies).to.have.length(retrieved.requests);

      const again = await runJob({ ...job, step: 'retrieve', items: created.items }).catch(String);
      expect(again, 'a response without a secret is an error').to.match(/^Error: retrieve at http/);
    });
  }
});
