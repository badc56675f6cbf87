import { expect } from 'chai';
import { createConnection } from 'mysql2/promise';
import { newId } from '../../../src/crypto/ids.ts';
import { times } from '../../harness/api.ts';
import { onMariadb } from '../../harness/database.ts';
import { examined } from '../../harness/doctor.ts';
import { startMariadb } from '../../harness/mariadb.ts';
import { refusalOf } from '../../harness/refusal.ts';
import { anonymous, startService, type TestService } from '../../harness/service.ts';

const mebibyte = 1_048_576;
/** In JSON, each of these characters takes six bytes. */
const controls = '\u0001'.repeat(mebibyte);
const newNonce = () => ({ digest: Buffer.concat([newId(), newId()]), secret: 'of a browser' });

if (onMariadb)
  for (const packetMebibytes of [4, 16])
    describe(`On a server that takes statements of ${packetMebibytes} MiB`, () => {
      let server: Awaited<ReturnType<typeof startMariadb>>;
      let service: TestService;

      before(async () => {
        server = await startMariadb({ options: [`--max-allowed-packet=${packetMebibytes}M`] });
        const connection = await createConnection(server.url);
        await connection.query('CREATE DATABASE hushpush');
        await connection.end();
        service = await startService({ DATABASE_URL: `${server.url}/hushpush` });
      });

      after(async () => {
        await service.stop();
        await server.stop();
      });

      const create = (payload: string, more = {}) =>
        service.domain.pushes.create({ payload, expireAfterViews: 100, ...more }, anonymous);

      async function byPage(token: string, nonce = newNonce()) {
        return (await service.domain.pushes.reveal(token, undefined, anonymous, { nonce })).payload;
      }

      it('opening large secrets by their pages fails neither them nor those beside them', async () => {
        const large = await times(16, () => create(controls));
        const small = await create('tulip');
        for (let round = 0; round < 2; round++) {
          const opened = await Promise.all([
            ...large.map(({ urlToken }) => byPage(urlToken)),
            ...Array.from({ length: 10 }, () => byPage(small.urlToken)),
            ...Array.from({ length: 10 }, async () => {
              const { domain } = service;
              return (await domain.pushes.reveal(small.urlToken, undefined, anonymous)).payload;
            }),
          ]);
          expect(opened.filter((payload) => payload === controls)).to.have.length(16);
          expect(opened.filter((payload) => payload === 'tulip')).to.have.length(20);
        }
      });

      it('opening one secret by many pages at once gives each of them a copy', async () => {
        const { urlToken } = await create('lily'.repeat(30_000));
        const nonces = Array.from({ length: 40 }, newNonce);
        await Promise.all(nonces.map((nonce) => byPage(urlToken, nonce)));
        const again = await Promise.all(nonces.map((nonce) => byPage(urlToken, nonce)));
        expect(again).to.eql(Array(40).fill('lily'.repeat(30_000)));
        const { push } = await service.domain.pushes.reveal(urlToken, undefined, anonymous);
        expect(push.viewsUsed).to.equal(41);
      });

      it('the longest secret that it takes opens by its page, and a longer one is refused', async () => {
        const longest = '🌷'.repeat(packetMebibytes === 4 ? 1_015_000 : mebibyte);
        const { urlToken } = await create(longest);
        const nonce = newNonce();
        expect(await byPage(urlToken, nonce)).to.equal(longest);
        expect(await byPage(urlToken, nonce)).to.equal(longest);
        if (packetMebibytes === 16) return;
        const { code, problems } = await refusalOf(create('🌷'.repeat(mebibyte)));
        const max = 4 * mebibyte - 131_072;
        expect({ code, problems }).to.eql({
          code: 'invalid',
          problems: { payload: [{ code: 'maxLength', max, unit: 'bytes' }] },
        });
      });

      it('doctor says whether that is enough', async () => {
        const { packets } = await examined({ ...service.shared });
        expect(packets?.state).to.equal(packetMebibytes === 4 ? 'warning' : 'ok');
      });
    });
