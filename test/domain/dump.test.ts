import { expect } from 'chai';
import { openPayload } from '../../src/crypto/cipher.ts';
import { isUrlToken } from '../../src/crypto/tokens.ts';
import { openPushLabel } from '../../src/domain/pushes/label.ts';
import { times } from '../harness/api.ts';
import { anonymous, createAccount, startService, type TestService } from '../harness/service.ts';

type Row = Record<string, unknown>;
type Dump = Map<string, Row[]>;

const anonymousPushes = 50;
const ownedPushes = 10;

// It takes seconds, because it tries every value of the dump on every push.
describe('An attacker with a dump, the log, the master keys and the pepper', () => {
  let service: TestService;
  let dump: Dump;
  let openedByLink: string[];

  before(async () => {
    service = await startService();
    const { domain } = service;
    const { account } = await createAccount(domain, 'ann@example.com');
    for (let index = 0; index < anonymousPushes; index++) {
      const { urlToken } = await domain.pushes.create(
        {
          payload: `anonymous ${index}`,
          name: 'garden',
          passphrase: index % 5 === 0 ? 'tulip' : '',
          expireAfterViews: 3,
        },
        anonymous,
      );
      if (index % 5 !== 0) await domain.pushes.reveal(urlToken, undefined, anonymous);
    }
    await times(ownedPushes, (index) =>
      domain.pushes.create({ payload: `owned ${index}`, name: 'fence' }, { ...anonymous, account }),
    );
    await domain.chat.links.create('draft', { text: 'iris' });
    dump = await readDump();
    openedByLink = attack();
  });

  after(() => service.stop());

  async function readDump(): Promise<Dump> {
    const { database } = service;
    const names = (await database.sequelize.getQueryInterface().showAllTables()).map(String);
    const tables = names.map(
      async (name) => [name, await database.select<Row>(`SELECT * FROM ${name}`, {})] as const,
    );
    return new Map(await Promise.all(tables));
  }

  const rowsOf = (table: string) => dump.get(table) ?? [];
  const bytesOf = (row: Row, column: string) => row[column] as Buffer;

  /** What the master keys open by themselves, which the attacker tries as well. */
  function openedByKeys(): string[] {
    return rowsOf('pushes').flatMap((row) => {
      const record = row.label;
      if (!Buffer.isBuffer(record)) return [];
      const { urlToken, name } = openPushLabel(service.keyring, { id: bytesOf(row, 'id'), label: record });
      return [urlToken, name ?? ''];
    });
  }

  /** Every value of the dump and of the log in every form that a url token could have. */
  function candidates(): Set<string> {
    const found = new Set<string>(['', ...openedByKeys()]);
    for (const value of [...dump.values()].flat().flatMap((row) => Object.values(row))) {
      if (!Buffer.isBuffer(value)) {
        found.add(String(value));
        continue;
      }
      for (const form of ['hex', 'base64', 'base64url', 'latin1', 'utf8'] as const)
        found.add(value.toString(form));
      found.add(asUrlToken(value));
    }
    for (const [word] of service.logged().matchAll(/[\w-]{4,}/g)) found.add(word);
    for (const text of [...found])
      for (const [word] of text.matchAll(/[0-9a-hjkmnp-tv-z]{26}/g)) found.add(word);
    return found;
  }

  /** The payloads that open under any of the candidates. */
  function attack(): string[] {
    const secrets = [...candidates()];
    return rowsOf('pushes').flatMap((row) => {
      const [id, record] = [bytesOf(row, 'id'), bytesOf(row, 'payload')];
      for (const secret of secrets) {
        try {
          return [openPayload(service.keyring, record, { id, secret }).toString()];
        } catch {}
      }
      return [];
    });
  }

  it('opens no anonymous push with any value of them', () => {
    expect(rowsOf('pushes')).to.have.length(anonymousPushes + ownedPushes);
    expect(candidates().size).to.be.greaterThan(1_000);
    expect(openedByLink.filter((payload) => payload.startsWith('anonymous'))).to.deep.equal([]);
  });

  it('opens every push of an account, as documented', () => {
    expect(openedByLink.filter((payload) => payload.startsWith('owned'))).to.have.length(ownedPushes);
  });

  it('is refused by the service with every value that looks like a link of an anonymous push', async () => {
    const owned = new Set(openedByKeys());
    const tokens = [...candidates()].filter((text) => isUrlToken(text) && !owned.has(text));
    expect(tokens.length).to.be.greaterThan(anonymousPushes);
    for (const token of tokens.slice(0, anonymousPushes)) {
      const outcome = await service.domain.pushes.reveal(token, undefined, anonymous).then(
        () => 'opened',
        ({ code }) => code,
      );
      expect(outcome).to.equal('not_found');
    }
  });
});

/** Bytes read as lower-case Crockford base32, as url tokens are written. */
function asUrlToken(bytes: Buffer): string {
  return [...bytes.subarray(0, 26)]
    .map((byte) => '0123456789abcdefghjkmnpqrstvwxyz'.charAt(byte & 31))
    .join('');
}
