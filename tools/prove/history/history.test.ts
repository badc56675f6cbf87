import { expect } from 'chai';
import { onMariadb } from '../../../test/harness/database.ts';
import { openTestedDatabase } from './databases.ts';
import { recordHistory } from './history.ts';

describe('A service whose processes, connections and database fail under load', () => {
  it('delivers no view too many, and loses nothing that it confirmed', async () => {
    const database = await openTestedDatabase(onMariadb ? 'mariadb' : 'sqlite');
    const { failures } = await recordHistory({
      database,
      enough: { pushes: 24 },
      workers: 1,
      seed: 1,
      faults: ['kill-web', ...(onMariadb ? ['kill-database', 'lose-commit'] : [])],
    }).finally(database.close);
    expect(failures.join('\n')).to.equal('');
  });
});
