import { expect } from 'chai';
import { urlTokenDigest } from '../../src/crypto/pepper.ts';
import type { Tx } from '../../src/database/database.ts';
import { isContention, isOutcomeUnknown, toRefusal } from '../../src/database/errors.ts';
import { type Client, createClient } from '../harness/api.ts';
import { onMariadb } from '../harness/database.ts';
import { anonymous, startService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const errorOf = (errno: number) => Object.assign(new Error(), { errno, code: 'ER_OF_THE_SERVER' });

describe('An error of the database', () => {
  const lost = [1152, 1158, 1159, 1160, 1161, 1184, 1927, 2006, 2013, 3169, 4031];
  for (const errno of [...lost, 1040, 1047, 1053, 1203, 1290, 3032])
    it(`is a refusal for a while, and its outcome is unknown, with the number ${errno}`, () => {
      const refusal = toRefusal(errorOf(errno));
      expect([refusal?.code, refusal?.messageCode]).to.eql(['unavailable', 'databaseUnreachable']);
      expect(refusal?.retryAfterSeconds).to.be.at.least(1);
      expect(isOutcomeUnknown(errorOf(errno))).to.equal(true);
    });

  for (const errno of [1317, 1969, 3024, 1153, 1206])
    it(`is a refusal for a while, and nothing was done, with the number ${errno}`, () => {
      const refusal = toRefusal(errorOf(errno));
      expect([refusal?.code, refusal?.messageCode]).to.eql(['unavailable', 'databaseInterrupted']);
      expect(refusal?.retryAfterSeconds).to.be.at.least(1);
      expect(isOutcomeUnknown(errorOf(errno))).to.equal(false);
    });

  for (const [errno, sqlMessage] of [
    [1021, 'Disk full (/tmp); waiting for someone to free some space... (errno: 28)'],
    [1114, "The table 'pushes' is full"],
    [1030, 'Got error 28 "No space left on device" from storage engine InnoDB'],
    [1026, 'Error writing file \'binlog\' (errno: 28 "No space left on device")'],
    [3, 'Error writing file \'/var/lib/mysql/ib\' (Errcode: 122 "Disk quota exceeded")'],
  ] as const)
    it(`says that there is no space left, with the number ${errno}`, () => {
      const refusal = toRefusal(Object.assign(errorOf(errno), { sqlMessage }));
      expect([refusal?.code, refusal?.messageCode]).to.eql(['unavailable', 'databaseFull']);
    });

  it('says that there is no space left only where it is so', () => {
    const sqlMessage = 'Got error 128 "Out of memory in engine" from storage engine InnoDB';
    const refusal = toRefusal(Object.assign(errorOf(1030), { sqlMessage }));
    expect(refusal?.messageCode).to.equal('databaseUnreachable');
  });

  for (const errno of [1020, 1205, 1213, 3101])
    it(`lets the same work be tried again, with the number ${errno}`, () => {
      expect(isContention(errorOf(errno))).to.equal(true);
    });

  for (const errno of [1054, 1064, 1146, 1366, 1406])
    it(`is a defect of ours, and no refusal, with the number ${errno}`, () => {
      expect(toRefusal(errorOf(errno))).to.equal(undefined);
    });
});

const longOnMariadb = 'SET STATEMENT max_statement_time = 0.05 FOR SELECT SLEEP(2)';
const longOnMysql = `SELECT /*+ MAX_EXECUTION_TIME(50) */ COUNT(a.column_name <> b.column_name)
  FROM information_schema.columns a, information_schema.columns b, information_schema.columns c`;

if (onMariadb)
  describe('A statement that the server gives up', () => {
    let service: TestService;
    let api: Client;

    before(async () => {
      service = await startService();
      api = createClient(service.port);
    });

    after(() => {
      api.close();
      return service.stop();
    });

    it('answers 503 with a time to try again when it is killed, and spends no view', async () => {
      const { urlToken } = await service.domain.pushes.create(
        { payload: 'tulip', expireAfterViews: 1 },
        anonymous,
      );
      const response = await service.database.transaction(async (tx) => {
        await tx.select('SELECT id FROM pushes WHERE token_digest = $digest FOR UPDATE', {
          digest: urlTokenDigest(service.keyring, urlToken),
        });
        const waiting = api.get(`/p/${urlToken}.json`);
        await killWaiting();
        return waiting;
      });
      expect(response.status).to.equal(503);
      expect(Number(response.headers['retry-after'])).to.be.at.least(1);
      expect(response.body.error).to.equal('The database did not finish this. Try again shortly.');
      const { body } = await api.get(`/p/${urlToken}.json`);
      expect(body.payload).to.equal('tulip');
    });

    it('is a refusal where its connection has ended before it, and is known not to be done, COMMIT included', async () => {
      const onEndedConnection = (work: (tx: Tx) => Promise<unknown>) =>
        service.database
          .transaction(async (tx) => {
            const [connection] = await tx.select<{ id: number }>('SELECT CONNECTION_ID() AS id', {});
            await service.database.sequelize.query(`KILL ${Number(connection?.id)}`);
            await tx.select('SELECT 1', {}).catch(() => {}); // from here on, the driver knows
            await work(tx);
          })
          .catch((error: unknown) => error);
      for (const work of [(tx: Tx) => tx.select('SELECT 1', {}), async () => {}]) {
        const error = await onEndedConnection(work);
        expect(toRefusal(error)?.messageCode).to.equal('databaseUnreachable');
        expect(isOutcomeUnknown(error)).to.equal(false);
      }
    });

    it('is a refusal when it takes longer than it may', async () => {
      const error = await service.database
        .select((await service.database.isMysqlItself()) ? longOnMysql : longOnMariadb, {})
        .catch((error: unknown) => error);
      expect(toRefusal(error)?.messageCode).to.equal('databaseInterrupted');
    });

    it('is a refusal when it is larger than a packet', async () => {
      const [packet] = await service.database.select<{ bytes: number }>(
        'SELECT @@max_allowed_packet AS bytes',
        {},
      );
      const bytes = Buffer.alloc(Number(packet?.bytes) + 1);
      const error = await service.database
        .select('SELECT LENGTH($bytes) AS length', { bytes })
        .catch((error: unknown) => error);
      expect(toRefusal(error)?.code).to.equal('unavailable');
    });

    /** Kills the statement that waits for a lock. One that skips locked rows waits for none. */
    async function killWaiting() {
      const waits = (await service.database.isMysqlItself())
        ? `SELECT processlist_id AS id FROM performance_schema.data_lock_waits JOIN performance_schema.threads
             ON thread_id = requesting_thread_id WHERE processlist_db = DATABASE()`
        : `SELECT id FROM information_schema.processlist
             WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info LIKE '%FOR UPDATE'`;
      let found: { id: number } | undefined;
      await until(async () => {
        [found] = await service.database.select<{ id: number }>(waits, {});
        return found;
      });
      await service.database.sequelize.query(`KILL QUERY ${Number(found?.id)}`);
    }
  });
