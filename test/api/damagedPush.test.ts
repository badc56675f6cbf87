import { expect } from 'chai';
import { urlTokenDigest } from '../../src/crypto/pepper.ts';
import { type ApiResponse, type Client, createClient } from '../harness/api.ts';
import { examined } from '../harness/doctor.ts';
import { createForms } from '../harness/forms.ts';
import { visibleText } from '../harness/pages.ts';
import { startService, type TestService } from '../harness/service.ts';

const text = 'This is damaged in the database and cannot be decrypted. Nothing was counted.';

describe('A live push whose record is damaged', () => {
  let service: TestService;
  let api: Client;

  beforeEach(async () => {
    service = await startService();
    api = createClient(service.port);
  });

  afterEach(async () => {
    api.close();
    await service.stop();
  });

  const change = (column: 'payload' | 'files_key', token: string, to: (record: Buffer) => Buffer | null) =>
    service.database.transaction(async (tx) => {
      const digest = urlTokenDigest(service.keyring, token);
      const sql = `SELECT ${column} AS record FROM pushes WHERE token_digest = $digest`;
      const [row] = await tx.select<{ record: Buffer }>(sql, { digest });
      const record = to(row?.record ?? Buffer.alloc(0));
      await tx.execute(`UPDATE pushes SET ${column} = $record WHERE token_digest = $digest`, {
        record,
        digest,
      });
      return row?.record ?? null;
    });

  const flipped = (record: Buffer) => {
    const copy = Buffer.from(record);
    copy.writeUInt8(copy.readUInt8(40) ^ 1, 40);
    return copy;
  };

  const doctorOn = async () => (await examined(service.shared)).pushes;

  const failuresLogged = () => service.logged().match(/request failed/g)?.length ?? 0;

  function expectDamaged({ status, headers, body }: ApiResponse): void {
    expect(status).to.equal(503);
    expect(body.error).to.match(new RegExp(`^${text}`));
    expect(headers, 'trying again does not help').to.not.have.property('retry-after');
  }

  it('is refused by name, is logged once for each request, and uses no view, until it is put back', async () => {
    const { token, json, page } = await api.create({ expire_after_views: 1 });
    for (const damage of [
      flipped,
      (record: Buffer) => record.subarray(0, 20),
      () => Buffer.alloc(0),
      () => null,
    ]) {
      const intact = await change('payload', token, damage);
      const before = failuresLogged();
      expectDamaged(await api.get(json));
      expect(failuresLogged() - before).to.equal(1);
      const shown = await createForms(service.domain, api).reveal({ page });
      expect(shown.status).to.equal(503);
      expect(visibleText(shown)).to.contain(text);
      expect(failuresLogged() - before).to.equal(2);
      await change('payload', token, () => intact);
    }
    const { body } = await api.get(json);
    expect(body).to.include({ payload: 'tulip', views_remaining: 0 });
    expect(service.logged()).to.not.contain('tulip').and.not.contain(token);
  });

  it('is named by doctor from the first viewer who met it until it ends', async () => {
    const [damaged, intact] = [await api.create({ expire_after_views: 2 }), await api.create()];
    await change('payload', damaged.token, flipped);
    expect(await doctorOn()).to.include({ state: 'ok' });
    for (const { json } of [damaged, intact, damaged]) await api.get(json);
    const found = await doctorOn();
    expect(found).to.include({ code: 'pushesDamaged', state: 'failure' });
    expect(found?.finding).to.match(/^1 live push is damaged .* since 2\d{3}-\S+Z: [0-9a-f]{32}$/);
    await change('payload', damaged.token, flipped);
    await api.get(damaged.json);
    expect(await doctorOn(), 'put back').to.include({ state: 'ok' });
    await change('payload', damaged.token, () => Buffer.of(1, 1));
    await api.get(damaged.json);
    expect(await doctorOn(), 'cut off').to.include({ code: 'pushesDamaged' });
    await api.send('DELETE', damaged.json);
    expect(await doctorOn(), 'deleted').to.include({ state: 'ok' });
  });
});
