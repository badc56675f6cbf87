import { expect } from 'chai';
import { createClient } from '../harness/api.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { newSharedSettings } from '../harness/process.ts';
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

describe('A process that has started', () => {
  let folder: Folder;

  before(async () => {
    folder = await openFolder(newSharedSettings('sqlite:./data/hushpush.db'));
  });

  after(() => folder.remove());

  it('has not loaded the data of languages and time zones, nor have its first jobs', async () => {
    const service = await folder.start({ preload: printFormats });
    const client = createClient(service.port);
    const hasRun = /^hushpush_job_seconds_count\{job="purge",result="done"\} 1$/m;
    await until(async () => hasRun.test((await client.get('/metrics')).text));
    client.close();
    expect(service.output().match(/^created .*/gm)).to.deep.equal(['created Intl.Collator']);
  });
});
