import { expect } from 'chai';
import { anonymous, startService } from '../../harness/service.ts';

describe('A stored password', () => {
  it('is a bcrypt hash of 2^12 rounds for an account, and of 2^10 for the passphrase of a push', async () => {
    const service = await startService({}, { hashCostMax: 12 });
    try {
      await service.domain.accounts.create({ email: 'owner@example.com', password: 'twelve or more' });
      await service.domain.pushes.create({ payload: 'tulip', passphrase: 'open sesame' }, anonymous);
      const hashes = await service.database.select<{ hash: string }>(
        'SELECT password_hash AS hash FROM accounts UNION ALL SELECT passphrase_hash AS hash FROM pushes',
        {},
      );
      expect(hashes.map(({ hash }) => hash.slice(0, 7))).to.eql(['$2b$12$', '$2b$10$']);
    } finally {
      await service.stop();
    }
  });
});
