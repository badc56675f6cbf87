import { expect } from 'chai';
import { hasCompileCache } from '../../src/runtime/startup.ts';
import { createClient } from '../harness/api.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { untilLater } from '../harness/until.ts';

/** Prints what the program creates of Intl. */
const printFormats = `
  for (const name of Object.getOwnPropertyNames(Intl)) {
    if (!Intl[name].supportedLocalesOf) continue;
    Intl[name] = new Proxy(Intl[name], {
      construct(...args) {
        process.stdout.write('created Intl.' + name + '\\n');
        return Reflect.construct(...args);
      },
    });
  }
  new Intl.Collator();`;

/** Prints the ids of functions that it calls often and when, and the ids of those that V8 then optimizes. */
const printOptimized = `
  (await import('node:v8')).setFlagsFromString('--allow-natives-syntax');
  const isOptimized = new Function('hot', 'return (%GetOptimizationStatus(hot) & 16) !== 0');
  let id = 0;
  setInterval(() => {
    const own = ++id;
    const hot = new Function('number', 'return number + 1 + 0 * ' + own);
    for (let number = 0; number < 1e5; ) number = hot(number);
    process.stdout.write('called ' + own + ' ' + Date.now() + '\\n');
    setTimeout(() => isOptimized(hot) && process.stdout.write('optimized ' + own + '\\n'), 20);
  }, 20).unref();`;

const idsOptimized = (output: string) =>
  [...output.matchAll(/^optimized (\d+)$/gm)].map(([, id]) => Number(id));

/** The ids of what was called during the start, by the clock: the log is written later than the lines above. */
function idsWhileStarting(output: string): number[] {
  const timeOf = (message: string) =>
    Date.parse(new RegExp(`"time":"([^"]+)"[^\\n]*"msg":"${message}"`).exec(output)?.[1] ?? '');
  const [begin, end] = [timeOf('starting'), timeOf('listening')];
  return [...output.matchAll(/^called (\d+) (\d+)$/gm)]
    .filter(([, , calledAt]) => Number(calledAt) > begin && Number(calledAt) < end)
    .map(([, id]) => Number(id));
}

describe('A process that has started', () => {
  let folder: Folder;

  before(async () => {
    folder = await openFolder(); // its first start prints a line as soon as it listens
  });

  after(() => folder.remove());

  // Newer versions keep what they compile for the next start, which V8 accepts only under unchanged flags.
  const itBeforeCompileCaches = hasCompileCache ? it.skip : it;

  itBeforeCompileCaches('optimizes no code until it has started, and then what runs often', async () => {
    const service = await folder.start({ preload: printOptimized });
    const early = idsWhileStarting(service.output());
    expect(early).not.to.deep.equal([]);
    await untilLater(async () => idsOptimized(service.output()).some((id) => id > Math.max(...early)));
    const optimized = idsOptimized(service.output());
    expect(early.filter((id) => optimized.includes(id))).to.deep.equal([]);
    await service.stop();
  });

  it('has not loaded the data of languages and time zones, nor have its first jobs', async () => {
    const service = await folder.start({ preload: printFormats });
    const client = createClient(service.port);
    const hasRun = /^hushpush_job_seconds_count\{job="purge",result="done"\} 1$/m;
    await untilLater(async () => hasRun.test((await client.get('/metrics')).text));
    client.close();
    expect(service.output().match(/^created .*/gm)).to.deep.equal(['created Intl.Collator']);
  });
});
