import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { digestOf } from '../../../../src/crypto/tokens.ts';
import { expirePushIn, times } from '../../../harness/api.ts';
import { anonymous, startService, type TestService } from '../../../harness/service.ts';

const payload = 'tulip\nrose\n\nlily';

describe('A view that a browser asks for again', () => {
  let service: TestService;
  let pushes: TestService['domain']['pushes'];

  before(async () => {
    service = await startService();
    ({ pushes } = service.domain);
  });

  after(() => service.stop());

  const newNonce = () => ({ digest: digestOf(randomBytes(9).toString('hex')), secret: 'of a browser' });

  const lastView = { deletableByViewer: true, expireAfterViews: 1 };

  /** A push of several lines that a browser has opened. */
  async function opened(input: object = {}) {
    const { urlToken } = await pushes.create({ payload, expireAfterViews: 3, ...input }, anonymous);
    const nonce = newNonce();
    expect((await pushes.reveal(urlToken, undefined, anonymous, { nonce })).payload).to.equal(payload);
    return { urlToken, nonce, again: async () => (await pushes.repeat(urlToken, nonce, anonymous))?.payload };
  }

  it('is shown as it was, every line of it, and uses no other', async () => {
    const { urlToken, nonce, again } = await opened({ expireAfterViews: 1 });
    expect(await again()).to.equal(payload);
    const revealed = await pushes.reveal(urlToken, undefined, anonymous, { nonce });
    expect(revealed).to.include({ payload });
    expect(revealed.push.viewsUsed).to.equal(1);
  });

  it('is shown for a minute, by its own browser', async () => {
    const { urlToken, nonce, again } = await opened();
    expect(await pushes.repeat(urlToken, newNonce(), anonymous)).to.equal(undefined);
    const other = { ...nonce, secret: 'of another' };
    const foreign = await pushes.repeat(urlToken, other, anonymous).catch(() => undefined);
    expect(foreign).to.equal(undefined);
    await service.database.execute('UPDATE spent_nonces SET view_expires_at = view_expires_at - 60000', {});
    expect(await again()).to.equal(undefined);
  });

  it('is not shown once the push was deleted, or its time is over', async () => {
    const [deleted, expired] = [await opened({ deletableByViewer: true }), await opened()];
    const [usedUp, other] = [await opened(lastView), await opened(lastView)];
    for (const { urlToken } of [deleted, usedUp]) await pushes.expire(urlToken, anonymous);
    await expirePushIn(service, expired.urlToken, -1);
    for (const push of [deleted, usedUp, expired]) expect(await push.again()).to.equal(undefined);
    expect(await other.again()).to.equal(payload);
  });
});

describe('Large pushes that are opened at once', () => {
  it('give each viewer their own', async () => {
    const service = await startService();
    const texts = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) => letter.repeat(60_000));
    const created = await Promise.all(
      texts.map((payload) => service.domain.pushes.create({ payload, expireAfterViews: 1 }, anonymous)),
    );
    const views = await times(created.length, async (at) => {
      const { payload } = await service.domain.pushes.reveal(
        created[at]?.urlToken ?? '',
        undefined,
        anonymous,
      );
      return payload?.slice(0, 1);
    });
    expect(views).to.eql(texts.map((text) => text.slice(0, 1)));
  });

  it('are given one in a turn of the event loop', async () => {
    const { domain } = await startService();
    const tokens = await times(8, async () => {
      const payload = '"'.repeat(60_000);
      return (await domain.pushes.create({ payload, expireAfterViews: 1 }, anonymous)).urlToken;
    });
    let turn = 0;
    const count = () => {
      turn += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const turns = await Promise.all(
      tokens.map((token) => domain.pushes.reveal(token, undefined, anonymous).then(() => turn)),
    );
    clearImmediate(counting);
    expect(new Set(turns)).to.have.property('size', tokens.length);
  });
});
