import { expect } from 'chai';
import { connectDatabase } from '../../../src/database/database.ts';
import { DomainError } from '../../../src/errors.ts';
import { freshDatabase, onMariadb } from '../../../test/harness/database.ts';
import { proxiedUrl, startProxy } from '../../../test/harness/proxy.ts';
import { createCommitFault } from './commits.ts';

if (onMariadb)
  describe('A lost reply to COMMIT', () => {
    it('leaves the transaction committed, and its result unknown', async () => {
      const { url, drop } = await freshDatabase();
      const fault = createCommitFault();
      const { hostname, port } = new URL(url);
      const proxy = await startProxy({ target: { host: hostname, port: Number(port) }, onPair: fault.watch });
      const direct = connectDatabase(url, { poolSize: 1 });
      const proxied = connectDatabase(proxiedUrl(url, proxy), { poolSize: 1 });
      await direct.execute('CREATE TABLE tulips (id INT PRIMARY KEY)', {});
      const plant = (id: number) =>
        proxied.transaction((tx) => tx.execute('INSERT INTO tulips (id) VALUES ($id)', { id }));
      fault.arm(1);
      const error = await plant(1).catch((reason: unknown) => reason);
      await plant(2);
      expect(error).to.be.instanceOf(DomainError).with.property('code', 'unavailable');
      expect(await direct.select('SELECT id FROM tulips ORDER BY id', {})).to.eql([{ id: 1 }, { id: 2 }]);
      expect(fault.lost()).to.equal(1);
      await Promise.all([direct.close(), proxied.close(), proxy.close()]);
      await drop();
    });
  });
