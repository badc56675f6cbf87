import { createServer } from 'node:net';
import { expect } from 'chai';
import { createMigrations } from '../../src/database/migrations.ts';
import { requireMatchingKeys } from '../../src/domain/keys/keyChecks.ts';
import { createClient, times } from '../harness/api.ts';
import type { Folder } from '../harness/cli.ts';
import { type DatabaseFolder, openDatabaseFolder } from '../harness/databaseFolder.ts';
import { sendHalfRequest } from '../harness/halfRequest.ts';
import { migrationsFolder, newKeyring } from '../harness/service.ts';
import { untilLater } from '../harness/until.ts';

type StartedService = Awaited<ReturnType<Folder['start']>>;

describe('A service of two processes', () => {
  let folder: DatabaseFolder;

  beforeEach(async () => {
    folder = await openDatabaseFolder({ WEB_PROCESSES: '2' });
  });

  afterEach(() => folder.remove());

  /** The pids of the processes that have logged a message, dead or alive, in order. */
  function pidsOf({ output }: StartedService, message = 'listening'): number[] {
    const lines = output().matchAll(new RegExp(`"pid":(\\d+)[^}]*"msg":"${message}"`, 'g'));
    return [...new Set([...lines].map(([, pid]) => Number(pid)))];
  }

  async function startBoth(): Promise<StartedService> {
    const served = await folder.start();
    await untilLater(() => pidsOf(served).length === 2);
    return served;
  }

  it('serves from both, returns a view once, replaces dead processes, and exits with 0 when the process group is signalled', async () => {
    const served = await startBoth();
    const client = createClient(served.port);
    const push = await client.create({ payload: 'tulip', expire_after_views: 1 });
    const answers = await times(40, () => client.get(push.json));
    expect(answers.filter(({ body }) => body.payload === 'tulip')).to.have.length(1);
    await untilLater(async () => {
      await times(8, () => client.get('/api/v1/version', { connection: 'close' }));
      return pidsOf(served, 'request').length === 2;
    });
    client.close();

    const [killed = 0, asked = 0] = pidsOf(served);
    process.kill(killed, 'SIGKILL');
    await untilLater(() => !isAlive(killed));
    await untilLater(() => pidsOf(served).length === 3); // a random port is lost with the last process that listens on it
    process.kill(asked, 'SIGTERM');
    await untilLater(() => pidsOf(served).length === 4);
    expect(isAlive(asked)).to.equal(false);

    // As a terminal or a supervisor does.
    const requests = await times(4, () => sendHalfRequest(served.port));
    for (const pid of [...pidsOf(served).slice(2), served.pid]) process.kill(pid, 'SIGINT');
    await untilLater(() => pidsOf(served, 'stopping').length === 3);
    for (const { finish } of requests) finish();
    for (const { answer } of requests) expect(await answer).to.match(/^HTTP\/1\.1 201 /);
    expect(await served.ended).to.include({ code: 0, signal: null, stderr: '' });
    expect(pidsOf(served).filter(isAlive)).to.be.empty;
  });

  it('responds to every request, but those that a killed process was working on, while processes are killed again and again', async () => {
    const served = await startBoth();
    const client = createClient(served.port);
    const [clients, kills] = [8, 3];
    const statuses: number[] = [];
    let resets = 0;
    let isOver = false;
    const load = times(clients, async () => {
      while (!isOver) {
        await client.get('/api/v1/version', { connection: 'close' }).then(
          ({ status }) => statuses.push(status),
          () => resets++,
        );
      }
    });
    for (let kill = 0; kill < kills; kill++) {
      const sent = statuses.length;
      await untilLater(() => statuses.length > sent + 100);
      process.kill(pidsOf(served).at(-1) ?? 0, 'SIGKILL');
      await untilLater(() => pidsOf(served).length === 3 + kill);
    }
    const sent = statuses.length;
    await untilLater(() => statuses.length > sent + 100);
    isOver = true;
    await load; // no request waits for ever
    client.close();
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(resets).to.be.at.most(clients * kills);
  });

  it('responds while its database is unreachable, from one process, and can be stopped', async () => {
    const served = await folder.start({ settings: { DATABASE_URL: 'mysql://127.0.0.1:1/hushpush' } });
    const client = createClient(served.port);
    expect(await client.get('/livez')).to.have.property('status', 200);
    expect(await client.get('/readyz')).to.have.property('status', 503);
    expect(await client.get('/api/v1/version')).to.have.property('status', 503);
    client.close();
    expect(pidsOf(served)).to.have.length(1);
    expect(await served.stop()).to.include({ code: 0, stderr: '' });
  });

  it('encrypts nothing that a sibling cannot decrypt when a process is replaced after a key was added', async () => {
    await folder.remove();
    folder = await openDatabaseFolder({ WEB_PROCESSES: '2' }, { keyFile: 'keys' });
    const served = await startBoth();
    expect(await folder.run('admin keys add')).to.include({ code: 0 });
    const [killed = 0] = pidsOf(served);
    process.kill(killed, 'SIGKILL');
    await untilLater(() => pidsOf(served).length === 3);
    const statuses = await times(20, async () => {
      const client = createClient(served.port, { connections: 4 }); // which both processes get some of
      const { json } = await client.create({ expire_after_views: 3 });
      const reads = await times(3, () => client.get(json));
      client.close();
      return reads.map(({ status }) => status);
    });
    expect(new Set(statuses.flat())).to.deep.equal(new Set([200]));
  });

  it('exits at once when it is stopped twice', async () => {
    const served = await startBoth();
    await times(4, () => sendHalfRequest(served.port));
    served.kill('SIGTERM');
    await untilLater(() => pidsOf(served, 'stopping').length === 2);
    served.kill('SIGTERM');
    expect(await served.ended).to.include({ code: 1 });
    await untilLater(() => !pidsOf(served).some(isAlive));
  });

  it('says in one line that its port is in use, and exits with 1', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const PORT = String(typeof address === 'object' ? address?.port : '');
    const { code, stderr } = await folder.run('start', { settings: { PORT } }).finally(() => taken.close());
    expect(code).to.equal(1);
    expect(stderr).to.match(
      new RegExp(`^hushpush: Port ${PORT} of 127\\.0\\.0\\.1 is in use\\. [^\\n]*\\n$`),
    );
  });

  it('exits with 78 when its keys are not those of the database', async () => {
    await folder.withDatabase(async (database) => {
      await createMigrations(database, migrationsFolder).up();
      await requireMatchingKeys(database, newKeyring());
    });
    const { code, stderr } = await folder.run('start');
    expect(code).to.equal(78);
    expect(stderr).to.match(/^(hushpush: PEPPER is not the one that this database was written with\n)+$/);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
