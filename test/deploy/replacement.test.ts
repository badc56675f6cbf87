import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createClient } from '../harness/api.ts';
import { onMariadb } from '../harness/database.ts';
import { createLifeline } from '../harness/lifeline.ts';
import { freePort } from '../harness/mariadb.ts';
import { newSharedSettings, startProcess } from '../harness/process.ts';
import { requireProgram } from '../harness/programs.ts';
import { programMs, until } from '../harness/until.ts';

const example = join(import.meta.dirname, '..', '..', 'deploy', 'compose', 'Caddyfile');
const clients = 8;
const replacements = 3;

function countOf(statuses: number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

// It has nothing to do with the database.
const describeOnce = onMariadb ? () => {} : describe;

describeOnce('Behind the Caddy of deploy/compose, a service that is replaced', () => {
  it('answers every request of clients that send each once', async function () {
    const caddy = requireProgram(this, 'caddy');
    const folder = await mkdtemp(join(tmpdir(), 'replacement-'));
    const [port, proxyPort] = [await freePort(), await freePort()];
    const text = (await readFile(example, 'utf8'))
      .replace('{$DOMAIN}', `http://127.0.0.1:${proxyPort}`)
      .replace('hushpush:5100', `127.0.0.1:${port}`);
    await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${text}`);
    const settings = {
      ...newSharedSettings(`sqlite:${join(folder, 'hushpush.db')}`),
      PORT: String(port),
      STOP_DELAY_SECONDS: '5',
    };
    let service = await startProcess(settings);
    const proxy = spawn(caddy, ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder },
      stdio: 'ignore',
    });
    const lifeline = createLifeline(folder);
    lifeline.hold(Number(proxy.pid));
    const probe = createClient(proxyPort);
    await until(
      () =>
        probe.get('/readyz').then(
          ({ status }) => status === 200,
          () => false,
        ),
      programMs,
    );

    const statuses: number[] = [];
    let isOver = false;
    const traffic = Array.from({ length: clients }, async () => {
      const client = createClient(proxyPort);
      while (!isOver) {
        const { status, body } = await client.post('/p.json', { password: { payload: 'tulip' } });
        statuses.push(status);
        if (status === 201) statuses.push((await client.get(`/p/${body.url_token}.json`)).status);
      }
      client.close();
    });
    for (let count = 0; count < replacements; count++) {
      const before = statuses.length;
      await until(() => statuses.length > before + 50, programMs);
      expect(await service.stop()).to.equal(0);
      service = await startProcess(settings);
    }
    isOver = true;
    await Promise.all(traffic);
    probe.close();
    proxy.kill();
    await once(proxy, 'exit');
    await lifeline.cut();
    await service.stop();
    expect(countOf(statuses)).to.have.all.keys('200', '201');
  });
});
