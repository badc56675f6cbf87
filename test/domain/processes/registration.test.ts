import { expect } from 'chai';
import { seal } from '../../../src/crypto/cipher.ts';
import { newId } from '../../../src/crypto/ids.ts';
import { type Keyring, newKey, parseKeyring } from '../../../src/crypto/keyring.ts';
import { connectDatabase, type Database } from '../../../src/database/database.ts';
import { createMigrations } from '../../../src/database/migrations.ts';
import { findActiveKeyId, KeyMismatch, requireMatchingKeys } from '../../../src/domain/keys/keyChecks.ts';
import { createProcessRegistration } from '../../../src/domain/processes/processes.ts';
import { times } from '../../harness/api.ts';
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts';
import { migrationsFolder } from '../../harness/service.ts';
import { recordStatements } from '../../harness/statements.ts';

const [one, two, three, pepper] = [newKey(), newKey(), newKey(), newKey()];
const old = `1:${one}`;
const both = `2:${two},${old}`;
const minuteMs = 60_000;

describe('A new master key', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let named = 0;

  before(async () => {
    fresh = await freshDatabase();
    database = connectDatabase(fresh.url, { poolSize: 4 });
    await createMigrations(database, migrationsFolder).up();
  });

  beforeEach(async () => {
    for (const table of ['key_checks', 'processes']) await database.execute(`DELETE FROM ${table}`, {});
    await requireMatchingKeys(database, parseKeyring(old, pepper));
  });

  after(async () => {
    await database.close();
    await fresh.drop();
  });

  /** A process that serves. `settings` are its MASTER_KEYS, and may change while it runs; `now` is its clock. */
  async function startProcess(settings: string) {
    const keyring: Keyring = parseKeyring(settings, pepper);
    const process = { settings, keyring, now: 0 };
    await requireMatchingKeys(database, keyring);
    const readKeyring = async () => parseKeyring(process.settings, pepper);
    const stopwatch = () => {
      const startedAt = process.now;
      return () => process.now - startedAt;
    };
    const name = `process ${++named}`;
    const registration = createProcessRegistration({ database, keyring, readKeyring, name, stopwatch });
    await registration.renew();
    const sealed = () => seal(keyring, 'tulip', { id: newId(), field: 'payload' });
    return { ...registration, process, name, sealed, activeId: () => keyring.active.id };
  }

  /** Lets time pass for the processes of these names, or for all. */
  const age = (ms: number, column: 'registered_at' | 'expires_at', name = '%') =>
    database.execute(`UPDATE processes SET ${column} = ${column} - $ms WHERE name LIKE $name`, { ms, name });

  const aMinuteLater = () => age(minuteMs, 'registered_at');

  it('decrypts at once, and encrypts once every process has it, without a restart if they read it again', async () => {
    const [first, second] = [await startProcess(old), await startProcess(old)];
    first.process.settings = both;
    await aMinuteLater();
    for (let beat = 0; beat < 3; beat++) await first.renew();
    expect([...first.process.keyring.all.keys()]).to.deep.equal([2, 1]);
    expect(first.activeId()).to.equal(1);

    second.process.settings = both;
    await second.renew();
    await first.renew();
    expect([first.activeId(), second.activeId()]).to.deep.equal([2, 2]);
  });

  it('encrypts after a rolling restart, once the last process without it has stopped or is gone', async () => {
    const [first, second, third] = [
      await startProcess(old),
      await startProcess(old),
      await startProcess(old),
    ];
    await first.remove();
    const restarted = await startProcess(both);
    await aMinuteLater();
    await restarted.renew();
    await second.remove();
    await restarted.renew();
    expect(restarted.activeId()).to.equal(1);
    await age(minuteMs, 'expires_at', third.name);
    await restarted.renew();
    expect(restarted.activeId()).to.equal(2);
  });

  it('does not wait for a process that registered while the database’s clock was ahead', async () => {
    const [first, second] = [await startProcess(both), await startProcess(old)];
    await age(-120 * minuteMs, 'expires_at', second.name);
    await aMinuteLater();
    await first.renew();
    expect(first.activeId()).to.equal(2);
  });

  it('waits for a process that renewed its registration while another waited for the lock of that', async () => {
    const [first, second] = [await startProcess(both), await startProcess(old)];
    await age(-3_000, 'expires_at', second.name); // as a statement of 3 s ago sees it
    await aMinuteLater();
    await first.renew();
    expect(first.activeId()).to.equal(1);
  });

  it('does not encrypt before a process has waited a minute for the others, as after an outage of the database', async () => {
    const [first, second] = [await startProcess(both), await startProcess(old)];
    await aMinuteLater();
    await age(minuteMs, 'expires_at');
    await first.renew();
    expect(first.activeId()).to.equal(1);
    await second.renew();
    await aMinuteLater();
    await first.renew();
    expect(first.activeId()).to.equal(1);
  });

  it('replaces the key before for good: a process that has them in another order does not change that', async () => {
    const first = await startProcess(both);
    await aMinuteLater();
    await first.renew();
    expect(first.activeId()).to.equal(2);
    const other = await startProcess(`${old},2:${two}`);
    await aMinuteLater();
    for (let beat = 0; beat < 2; beat++) await Promise.all([first.renew(), other.renew()]);
    expect([first.activeId(), other.activeId()]).to.deep.equal([2, 2]);
  });

  it('is never active while a process without it registers: they take turns', async () => {
    const first = await startProcess(both);
    for (let round = 0; round < 10; round++) {
      await database.execute('UPDATE key_checks SET activated_at = NULL WHERE key_id = 2', {});
      await aMinuteLater();
      const [, started] = await Promise.allSettled([first.renew(), startProcess(old)]);
      const isActive = (await findActiveKeyId(database)) === 2;
      expect(started.status).to.equal(isActive ? 'rejected' : 'fulfilled');
      if (started.status === 'fulfilled') await started.value.remove();
      else await database.execute('DELETE FROM processes WHERE name <> $name', { name: first.name });
    }
  });

  it('that a process lacks keeps it from starting, and lets one that runs continue with the keys it has', async () => {
    const first = await startProcess(both);
    const late = await startProcess(old);
    await aMinuteLater();
    await age(minuteMs, 'expires_at', late.name);
    await first.renew();
    expect(first.activeId()).to.equal(2);
    const refused = await startProcess(old).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(KeyMismatch);
    expect(String(refused)).to.contain('master key 2 encrypts new records, but is not among MASTER_KEYS');
    expect(await late.renew().catch(String)).to.contain('master key 2 encrypts new records');
    expect(late.activeId()).to.equal(1);
    late.process.settings = both;
    await late.renew();
    expect(late.activeId()).to.equal(2);
  });

  it('is not missed by a process that was frozen: it encrypts nothing until it has registered with it', async () => {
    const [frozen, other] = [await startProcess(both), await startProcess(both)];
    frozen.process.now += minuteMs - 1;
    frozen.sealed();

    await age(minuteMs, 'expires_at', frozen.name);
    await aMinuteLater();
    await other.renew();
    expect([frozen.activeId(), other.activeId()]).to.deep.equal([1, 2]);
    frozen.process.settings = `2:${two}`;
    frozen.process.now += 1;
    expect(frozen.sealed, 'before it has heard of the new key').to.throw('notReady');
    await frozen.renew();
    expect(frozen.sealed().readUInt32BE(2)).to.equal(2);
    expect(other.sealed().readUInt32BE(2)).to.equal(2);
  });

  it('keeps a process that lacks it and was gone from encrypting, however often that registers', async () => {
    const [late, other] = [await startProcess(old), await startProcess(both)];
    await age(minuteMs, 'expires_at', late.name);
    await aMinuteLater();
    await other.renew();
    late.process.now += minuteMs;
    for (let beat = 0; beat < 2; beat++) {
      expect(await late.renew().catch(String)).to.contain('master key 2 encrypts new records');
      expect(late.sealed).to.throw('notReady');
    }
  });

  it('does not disturb a process whose keys cannot be read, or do not fit any more', async () => {
    const first = await startProcess(old);
    for (const settings of ['', `1:${three}`, `2:${two},1:${three}`, `3:${three}`]) {
      first.process.settings = settings;
      const error = await first.renew().catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(Error);
      expect([...first.process.keyring.all.keys()]).to.deep.equal([1]);
      const rows = await database.select('SELECT 1 FROM processes', {});
      expect(rows).to.have.length(1);
    }
  });

  it('is looked for without a write, until the registration is twenty seconds old or the keys change', async () => {
    const first = await startProcess(old);
    const statements = recordStatements(database);
    const writes = () => statements.splice(0).filter((sql) => !sql.startsWith('SELECT')).length;
    await first.refresh();
    expect(writes()).to.equal(0);
    first.process.now += 20_000;
    await first.refresh();
    expect(writes()).to.be.above(0);
    await first.refresh();
    expect(writes()).to.equal(0);
    first.process.settings = both;
    await first.refresh();
    expect(writes()).to.be.above(0);
    expect([...first.process.keyring.all.keys()]).to.deep.equal([2, 1]);
    await aMinuteLater();
    await first.renew();
    const second = await startProcess(both);
    expect([first.activeId(), second.activeId()]).to.deep.equal([2, 2]);
  });

  it('that another process has activated is used at the next look', async () => {
    const [first, second] = [await startProcess(both), await startProcess(both)];
    await aMinuteLater();
    await first.renew();
    await second.refresh();
    expect([first.activeId(), second.activeId()]).to.deep.equal([2, 2]);
  });

  it('becomes active once, whatever the number of processes', async () => {
    const processes = await times(6, () => startProcess(both));
    await aMinuteLater();
    await times(3, () => Promise.all(processes.map(({ renew }) => renew())));
    expect(processes.map(({ activeId }) => activeId())).to.deep.equal([2, 2, 2, 2, 2, 2]);
  });
});
