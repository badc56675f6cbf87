import { expect } from 'chai';
import { usageText } from '../../src/cli/keyUsage.ts';
import { sealedTablesOf } from '../../src/domain/keys/sealedColumns.ts';
import { tables } from '../../src/domain/tables.ts';

describe('What a master key encrypts', () => {
  it('has words for one record and for several of each kind', () => {
    for (const { field: kind } of sealedTablesOf(tables).flatMap(({ columns }) => columns)) {
      const of = (records: number) => usageText([{ keyId: 1, kind, records, expiring: 0, until: null }]);
      const [one, several] = [of(1), of(2)];
      expect(one + several, kind).to.not.include('_');
      expect(several.replace('2', '1'), kind).to.not.equal(one);
    }
  });
});
