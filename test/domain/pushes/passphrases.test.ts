import { expect } from 'chai';
import { createPasswords } from '../../../src/crypto/passwords.ts';
import { urlTokenDigest } from '../../../src/crypto/pepper.ts';
import { readingsOf } from '../../../src/domain/pushes/passphrase.ts';
import { bearer, type Client, createClient } from '../../harness/api.ts';
import { createForms, payloadShown } from '../../harness/forms.ts';
import { refusalOf } from '../../harness/refusal.ts';
import { anonymous, createAccount, startService, type TestService } from '../../harness/service.ts';

const passphrase = 'joba-dude-fibi';

/** How the same passphrase arrives from phones, chats and word processors. */
const variants = [
  'joba-dude-fibi ',
  '  joba-dude-fibi',
  '\u00a0joba-dude-fibi\t\n',
  'joba–dude–fibi',
  'joba—dude-fibi',
  'joba\u2011dude\u2212fibi',
  ' joba–dude—fibi ',
];

const others = ['joba dude fibi', 'Joba-dude-fibi', 'joba-dude-fib', 'joba--dude-fibi', '-', ' '];

describe('A passphrase as people type it', () => {
  let service: TestService;
  let api: Client;

  before(async () => {
    service = await startService({
      RATE_LIMITS: 'on',
      LIMIT_REQUESTS: '100000/1m',
      LIMIT_PASSPHRASE_BY_CLIENT: '5/10m',
    });
    api = createClient(service.port);
  });
  after(async () => {
    api.close();
    await service.stop();
  });

  const create = async (text = passphrase) =>
    (await service.domain.pushes.create({ payload: 'tulip', passphrase: text }, anonymous)).urlToken;
  const attempts = async () => {
    const [row] = await service.database.select<{ times: number }>(
      "SELECT COALESCE(SUM(times), 0) AS times FROM audit_rows WHERE kind = 'failed_passphrase'",
      {},
    );
    return Number(row?.times);
  };

  for (const typed of variants)
    it(`opens the push on its page and in the API, and is no wrong attempt: ${JSON.stringify(typed)}`, async () => {
      const before = await attempts();
      const urlToken = await create();
      const forms = createForms(service.domain, api);
      expect(payloadShown(await forms.reveal({ page: `/p/${urlToken}` }, { passphrase: typed }))).to.equal(
        'tulip',
      );
      const query = new URLSearchParams({ passphrase: typed });
      expect((await api.get(`/p/${urlToken}.json?${query}`)).body.payload).to.equal('tulip');
      const header = Buffer.from(typed.trim()).toString('latin1');
      expect((await api.get(`/p/${urlToken}.json`, { 'x-passphrase': header })).body.payload).to.equal(
        'tulip',
      );
      expect(await attempts()).to.equal(before);
    });

  it('is one attempt when it is wrong, however many readings it has', async () => {
    const urlToken = await create();
    const before = await attempts();
    for (const triesLeft of [4, 3, 2, 1, 0]) {
      const error = await refusalOf(service.domain.pushes.reveal(urlToken, ' wrong–one ', anonymous));
      expect(error).to.include({ code: 'unauthenticated', triesLeft });
    }
    expect(await attempts()).to.equal(before + 5);
    const locked = await refusalOf(service.domain.pushes.reveal(urlToken, passphrase, anonymous));
    expect(locked.code).to.equal('too_many');
  });

  for (const typed of others)
    it(`is refused when it is another: ${JSON.stringify(typed)}`, async () => {
      const urlToken = await create();
      const error = await refusalOf(service.domain.pushes.reveal(urlToken, typed, anonymous));
      expect(error.code).to.equal('unauthenticated');
    });

  it('costs one hash as a rule, and three at most', () => {
    expect(readingsOf('joba-dude-fibi')).to.deep.equal(['joba-dude-fibi']);
    expect(readingsOf('joba-dude-fibi ')).to.deep.equal(['joba-dude-fibi', 'joba-dude-fibi ']);
    expect(readingsOf('joba–dude')).to.deep.equal(['joba–dude', 'joba-dude']);
    expect(readingsOf(' joba–dude')).to.deep.equal(['joba–dude', 'joba-dude', ' joba–dude']);
    const long = '–'.repeat(2_000);
    expect(readingsOf(long)).to.deep.equal([long]); // too long for any, and not worth reading
  });

  it('opens a push whose passphrase was set with dashes or with spaces around it, as it was sent', async () => {
    const { token } = await createAccount(service.domain);
    for (const text of ['  joba dude  ', 'joba–dude', ' — '])
      for (const typed of [text, text.trim()]) {
        const { json } = await api.create({ passphrase: text }, bearer(token));
        const { body } = await api.get(`${json}?${new URLSearchParams({ passphrase: typed })}`);
        expect(body.payload, JSON.stringify([text, typed])).to.equal('tulip');
      }
  });

  it('opens a push that an earlier version stored with spaces around its passphrase', async () => {
    const urlToken = await create();
    await service.database.execute('UPDATE pushes SET passphrase_hash = $hash WHERE token_digest = $digest', {
      hash: await createPasswords(service.keyring).hash(` ${passphrase}`, 4),
      digest: urlTokenDigest(service.keyring, urlToken),
    });
    const { payload } = await service.domain.pushes.reveal(urlToken, ` ${passphrase}`, anonymous);
    expect(payload).to.equal('tulip');
  });
});
