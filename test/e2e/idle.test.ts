import { expect } from 'chai';
import { hasCompileCache } from '../../src/runtime/compileCache.ts';
import { createClient } from '../harness/api.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { until } from '../harness/until.ts';

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

/** Prints the ids of functions that it calls often, and of those that V8 then optimizes. */
const printOptimized = `
  (await import('node:v8')).setFlagsFromString('--allow-natives-syntax');
  const isOptimized = new Function('hot', 'return (%GetOptimizationStatus(hot) & 16) !== 0');
  let id = 0;
  setInterval(() => {
    const own = ++id;
    const hot = new Function('number', 'return number + 1 + 0 * ' + own);
    for (let number = 0; number < 1e5; ) number = hot(number);
    process.stdout.write('called ' + own + '\\n');
    setTimeout(() => isOptimized(hot) && process.stdout.write('optimized ' + own + '\\n'), 20);
  }, 20).unref();`;

const idsAfter = (word: string, output: string) =>
  [...output.matchAll(new RegExp(`^${word} (\\d+)$`, 'gm'))].map(([, id]) => Number(id));

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
    const [, whileStarting = ''] =
      /"msg":"starting"(.*)hushpush is listening on/s.exec(service.output()) ?? [];
    const early = idsAfter('called', whileStarting);
    expect(early).not.to.deep.equal([]);
    await until(async () => idsAfter('optimized', service.output()).some((id) => id > Math.max(...early)));
    const optimized = idsAfter('optimized', service.output());
    expect(early.filter((id) => optimized.includes(id))).to.deep.equal([]);
    await service.stop();
  });

  it('has not loaded the data of languages and time zones, nor have its first jobs', async () => {
    const service = await folder.start({ preload: printFormats });
    const client = createClient(service.port);
    const hasRun = /^hushpush_job_seconds_count\{job="purge",result="done"\} 1$/m;
    await until(async () => hasRun.test((await client.get('/metrics')).text));
    client.close();
    expect(service.output().match(/^created .*/gm)).to.deep.equal(['created Intl.Collator']);
  });
});
