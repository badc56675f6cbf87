import { expect } from 'chai';
import { freshSqlite } from '../../../test/harness/database.ts';
import { findProgram } from '../../../test/harness/debian.ts';
import { newSharedSettings, startProcess } from '../../../test/harness/process.ts';
import { shiftedClock } from '../../../test/harness/shiftedClock.ts';

const hourMs = 3_600_000;

describe('A process whose clock is shifted', () => {
  it('has another time, and is gone once it was killed', async function () {
    if (findProgram('faketime') === undefined) return this.skip();
    const { url, drop } = await freshSqlite();
    const service = await startProcess({ ...newSharedSettings(url), ...shiftedClock('+2h') });
    const { headers } = await fetch(`${service.url}/livez`);
    await service.kill9();
    const after = await fetch(`${service.url}/livez`).catch(() => undefined);
    await drop();
    expect(Date.parse(headers.get('date') ?? '') - Date.now()).to.be.within(hourMs, 3 * hourMs);
    expect(after?.status).to.equal(undefined);
  });
});
