import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { openPayload } from '../../../src/crypto/cipher.ts';
import { urlTokenDigest } from '../../../src/crypto/pepper.ts';
import { digestOf } from '../../../src/crypto/tokens.ts';
import type { Caller } from '../../../src/domain/index.ts';
import { openPushLabel } from '../../../src/domain/pushes/label.ts';
import { onMariadb } from '../../harness/database.ts';
import {
  anonymous,
  createAccount,
  someClient,
  startService,
  type TestService,
} from '../../harness/service.ts';

type Row = Record<string, unknown> & { id: Buffer; payload: Buffer | null; passphrase_hash: string | null };

let service: TestService;

describe('The database', () => {
  before(async () => {
    service = await startService();
  });

  after(() => service.stop());

  async function newPush(input: Record<string, unknown> = {}, caller: Caller = anonymous): Promise<string> {
    const { urlToken } = await service.domain.pushes.create({ payload: 'tulip', ...input }, caller);
    return urlToken;
  }

  const reveal = (urlToken: string, passphrase?: string) =>
    service.domain.pushes.reveal(urlToken, passphrase, anonymous);

  /** Every column of a push, as in a dump. */
  async function dumpOf(urlToken: string): Promise<Row> {
    const [row] = await service.database.select<Row>('SELECT * FROM pushes WHERE token_digest = $digest', {
      digest: urlTokenDigest(service.keyring, urlToken),
    });
    return row ?? expect.fail('the push is not stored');
  }

  async function recordOf(urlToken: string): Promise<Buffer> {
    return (await dumpOf(urlToken)).payload ?? expect.fail('there is no payload');
  }

  describe('after the end of a push', () => {
    it('holds neither payload nor passphrase hash after the last view', async () => {
      const token = await newPush({ passphrase: 'open sesame', expireAfterViews: 1 });
      const before = await dumpOf(token);
      expect(before.payload).to.be.an.instanceof(Buffer);
      expect(before.passphrase_hash).to.match(/^\$2b\$/);
      expect((await reveal(token, 'open sesame')).payload).to.equal('tulip');
      expect(await dumpOf(token)).to.include({ payload: null, passphrase_hash: null });
    });

    it('holds neither payload nor passphrase hash after a deletion by owner or viewer', async () => {
      const { account } = await createAccount(service.domain, 'ann@example.com');
      const byOwner = { account, client: someClient };
      for (const caller of [byOwner, anonymous]) {
        const token = await newPush({ passphrase: 'open sesame' }, byOwner);
        await service.domain.pushes.expire(token, caller);
        expect(await dumpOf(token)).to.include({ payload: null, passphrase_hash: null });
      }
    });

    it('holds neither the push nor its audit log after its account is erased', async () => {
      const { account } = await createAccount(service.domain, 'bob@example.com');
      const token = await newPush({}, { account, client: someClient });
      await reveal(token);
      const { id } = await dumpOf(token);
      await service.domain.accounts.erase('bob@example.com', 'operator');
      for (const [table, column] of [
        ['pushes', 'id'],
        ['audit_rows', 'push_id'],
      ]) {
        expect(await service.database.select(`SELECT * FROM ${table} WHERE ${column} = $id`, { id })).to.eql(
          [],
        );
      }
    });
  });

  if (!onMariadb) {
    describe('in the files of SQLite', () => {
      const pieceBytes = 32;
      const folderOf = ({ databaseUrl }: TestService) => dirname(databaseUrl.slice('sqlite:'.length));

      /** The bytes of a file; none if it is missing: SQLite removes its log when the driver frees the last connection. */
      async function bytesIn(name: string): Promise<Buffer> {
        const path = join(folderOf(service), name);
        return await readFile(path).catch((error) => {
          if (error.code === 'ENOENT') return Buffer.alloc(0);
          throw error;
        });
      }

      /** Counts the pieces of a sealed record in the files of the database, by file name. */
      async function traces(record: Buffer): Promise<Record<string, number>> {
        const found: Record<string, number> = {};
        for (const name of await readdir(folderOf(service))) {
          const bytes = await bytesIn(name);
          for (let at = 0; at + pieceBytes <= record.length; at += pieceBytes) {
            if (bytes.includes(record.subarray(at, at + pieceBytes))) found[name] = (found[name] ?? 0) + 1;
          }
        }
        return found;
      }

      const checkpoint = () => service.database.select('PRAGMA wal_checkpoint(TRUNCATE)', {});

      const ends: [string, (token: string) => Promise<unknown>][] = [
        ['its last view', (token) => reveal(token)],
        ['its deletion', (token) => service.domain.pushes.expire(token, anonymous)],
      ];
      for (const [end, bringAbout] of ends) {
        for (const [size, payload] of [
          ['short', 'tulip'],
          ['long', 'tulip '.repeat(20_000)],
        ] as const) {
          it(`keeps nothing of the sealed record of a ${size} push after ${end} and a checkpoint`, async () => {
            const token = await newPush({ payload, expireAfterViews: 1 });
            const record = await recordOf(token);
            await checkpoint();
            expect(Object.keys(await traces(record)), 'before its end').to.eql(['hushpush.db']);
            await bringAbout(token);
            await checkpoint();
            expect(await traces(record)).to.eql({});
          });
        }
      }

      describe('after the service has stopped', () => {
        after(async () => {
          service = await startService();
        });

        it('keeps nothing of a sealed record, and no write-ahead log', async () => {
          const token = await newPush({ expireAfterViews: 1 });
          const record = await recordOf(token);
          expect(Object.keys(await traces(record))).to.eql(['hushpush.db-wal']);
          await reveal(token);
          await service.database.close();
          try {
            expect(await traces(record)).to.eql({});
            expect(await bytesIn('hushpush.db-wal')).to.have.length(0);
          } finally {
            await service.stop();
          }
        });
      });
    });
  }

  describe('dumped together with the master keys', () => {
    /** Everything that an attacker who lacks only the link could try as the url token. */
    function guesses(row: Row): string[] {
      const { keyring } = service;
      const bytes = [...Object.values(row), ...keyring.all.values(), keyring.pepper].filter(Buffer.isBuffer);
      const texts = bytes.flatMap((one) =>
        (['hex', 'base64', 'base64url', 'latin1', 'utf8'] as const).map((encoding) => one.toString(encoding)),
      );
      const columns = Object.values(row).map(String);
      const all = ['', ...columns, ...texts];
      return [
        ...all,
        ...all.map((one) => one.slice(0, 26)),
        ...all.map((one) => digestOf(one).toString('hex')),
      ];
    }

    function openedBy(row: Row, record: Buffer, secrets: (string | undefined)[]): string[] {
      return secrets.flatMap((secret) => {
        try {
          const place = { id: row.id, ...(secret === undefined ? {} : { secret }) };
          return [openPayload(service.keyring, record, place).toString()];
        } catch {
          return [];
        }
      });
    }

    it('does not open an anonymous push, which needs its link', async () => {
      const token = await newPush({ name: 'garden', passphrase: 'open sesame' });
      await newPush();
      const row = await dumpOf(token);
      const record = await recordOf(token);
      expect(row.label).to.equal(null);
      expect(openedBy(row, record, [undefined, ...guesses(row)])).to.eql([]);
      expect(openedBy(row, record, [token])).to.eql(['tulip']);
    });

    it('has the link of an anonymous push in no column of any table', async () => {
      const token = await newPush({ name: 'garden', passphrase: 'open sesame', expireAfterViews: 3 });
      await reveal(token, 'open sesame');
      await reveal(token, 'wrong').catch(() => {});
      for (const table of ['pushes', 'audit_rows', 'rate_limits', 'accounts', 'api_tokens', 'key_checks']) {
        for (const row of await service.database.select<Record<string, unknown>>(
          `SELECT * FROM ${table}`,
          {},
        )) {
          for (const [column, value] of Object.entries(row)) {
            const texts = Buffer.isBuffer(value)
              ? [value.toString('latin1'), value.toString('hex')]
              : [String(value)];
            expect(texts.join(' '), `${table}.${column}`).not.to.contain(token);
          }
        }
      }
    });

    it('opens an owned push, whose link its owner can list', async () => {
      const { account } = await createAccount(service.domain, 'eve@example.com');
      const token = await newPush({}, { account, client: someClient });
      const row = await dumpOf(token);
      const { id, label } = row;
      if (!Buffer.isBuffer(label)) return expect.fail('there is no label');
      expect(openPushLabel(service.keyring, { id, label }).urlToken).to.equal(token);
      expect(openedBy(row, await recordOf(token), [token])).to.eql(['tulip']);
    });
  });
});
