import { expect } from 'chai';
import { connectDatabase } from '../../src/database/database.ts';
import { freshDatabase, onMariadb } from '../harness/database.ts';

if (onMariadb)
  describe('A connection to a database server', () => {
    it('keeps a thousand prepared statements, and closes those that were used least recently', async () => {
      const fresh = await freshDatabase();
      const database = connectDatabase(fresh.url, { poolSize: 1 });
      for (let text = 1; text <= 1_003; text += 1)
        await database.select(`SELECT ${text} + $more AS sum`, { more: 1 });
      const closed = await database.select<{ Value: string }>(
        "SHOW SESSION STATUS LIKE 'Com_stmt_close'",
        {},
      );
      await database.close();
      await fresh.drop();
      expect(closed.map(({ Value }) => Value)).to.eql(['3']);
    });
  });
