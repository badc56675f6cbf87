import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openFolder } from '../harness/cli.ts';
import { newSharedSettings } from '../harness/process.ts';

describe('Settings', () => {
  it('are also read from .env in the working folder, where the environment takes precedence, and stop a command when invalid', async () => {
    const folder = await openFolder({ ...newSharedSettings('sqlite:unused.db'), PORT: '5100' });
    await writeFile(join(folder.path, '.env'), 'PORT=http\nDATABASE_POOL=none\nLOG_LEVEL="loud"\n');
    const { code, stdout, stderr } = await folder.run('account list').finally(folder.remove);
    expect({ code, stdout }).to.deep.equal({ code: 78, stdout: '' });
    expect(stderr.split('\n')).to.deep.equal([
      'hushpush: These settings are invalid:',
      '  DATABASE_POOL must be a whole number from 1 to 500',
      '  LOG_LEVEL must be debug, info, warn, error or silent',
      '',
    ]);
  });
});
