import { expect } from 'chai';
import { createClient } from '../harness/api.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { newSharedSettings } from '../harness/process.ts';
import { programMs, untilLater } from '../harness/until.ts';

/** Lets a signal hang the event loop. */
const hangOnSignal = "process.on('SIGUSR2', () => { for (;;); });";

/* A process counts as hung after ten seconds, so these tests take that long; together, because they only wait. */
describe('A process whose event loop hangs', () => {
  const folders: Folder[] = [];

  async function start(settings: Record<string, string>) {
    const folder = await openFolder(newSharedSettings('sqlite:./data/hushpush.db'));
    folders.push(folder);
    return folder.start({ settings, preload: hangOnSignal });
  }

  after(() => Promise.all(folders.map(({ remove }) => remove())));

  it('is replaced while another serves, or ends itself if it is alone', async () => {
    const [alone, both] = await Promise.all([start({}), start({ WEB_PROCESSES: '2' })]);
    const pids = () =>
      [...both.output().matchAll(/"pid":(\d+)[^}]*"msg":"listening"/g)].map(([, pid]) => Number(pid));
    await untilLater(() => pids().length === 2);
    const [hung = 0] = pids();

    alone.kill('SIGUSR2');
    process.kill(hung, 'SIGUSR2');
    const client = createClient(both.port);
    await untilLater(async () => {
      const answer = await client.get('/readyz', { connection: 'close' }).catch(() => undefined);
      if (answer !== undefined) expect(answer.status).to.equal(200); // the hung one takes some connections with it
      return pids().length === 3;
    }, programMs); // a process that starts may take two minutes before it counts as hung, one that runs may not
    client.close();
    expect(both.output()).to.match(
      new RegExp(`"level":"warn"[^}]*"pid":${hung},[^}]*"msg":"[^"]*did not respond for 10 s`),
    );
    expect(await alone.ended).to.include({ code: null, signal: 'SIGKILL' });
    expect(alone.output()).to.match(/"level":"error"[^}]*"msg":"the event loop hung for 10 s/);
    expect(await both.stop()).to.include({ code: 0, stderr: '' });
  });
});
