import { Readable } from 'node:stream';
import { expect } from 'chai';
import { encryptPush } from '../../../src/client/encryptedPush.ts';
import { DecryptionError, openSecret } from '../../../src/client/encryption.js';
import { createOpener, createOpeningKey, receiptOf, sealKey } from '../../../src/client/sealing.js';
import { wrapKey } from '../../../src/client/wrappedKey.js';
import {
  type Account,
  type ClientInfo,
  type Domain,
  passkeyThatOpens,
  type RequestLink,
} from '../../../src/domain/index.ts';
import {
  connectChat,
  countRows,
  deliverNotices,
  dumpDatabase,
  newChatUser,
  summarize,
} from '../../harness/chat.ts';
import { noStoredFiles, storedFiles } from '../../harness/files.ts';
import { refusalOf } from '../../harness/refusal.ts';
import { createAccount, refusal, someClient, startService, type TestService } from '../../harness/service.ts';

const [minuteMs, dayMs] = [60_000, 86_400_000];
const closed = 'not_found: This request has ended.';
const stranger: ClientInfo = { ...someClient, ip: '198.51.100.7' };

describe('A request link', () => {
  let service: TestService;
  let domain: Domain;
  let links: Domain['requestLinks'];
  let ann: Account;
  let forms = 0;

  before(async () => {
    service = await startService({ MAX_FILE_MIB: '1', MAX_UPLOAD_MIB: '2' });
    ({ domain } = service);
    links = domain.requestLinks;
  });

  after(() => service.stop());

  beforeEach(async () => {
    ({ account: ann } = await createAccount(domain, undefined, { subscribed: true }));
    await deliverNotices(domain);
  });

  const create = (input: object = {}, account = ann) =>
    links.create({ account, client: someClient }, { title: 'the VPN', ...input });
  const tokenOf = ({ urlToken }: RequestLink) => urlToken ?? '';
  const newForm = (form: object = {}) => ({ formId: `form-${++forms}`, text: 'tulip', ...form });
  const find = ({ id }: RequestLink) => links.find({ account: ann }, id);
  const answersTo = ({ id }: RequestLink) => links.listAnswers({ account: ann }, id);
  const fileOf = (content: string | Buffer, filename = 'a.txt') => ({
    ...{ filename, contentType: 'text/plain' },
    stream: Readable.from([Buffer.from(content)]),
  });

  async function answer(link: RequestLink, form: object = {}, client = stranger) {
    await using begun = await links.beginAnswer(tokenOf(link), client);
    return await begun.send(newForm(form));
  }

  const age = ({ id }: RequestLink, ms: number) =>
    service.database.execute('UPDATE request_links SET expires_at = expires_at - $ms WHERE id = $id', {
      ...{ ms, id: Buffer.from(id, 'hex') },
    });

  describe('when it is created', () => {
    it('takes one answer within a week, unless it says otherwise', async () => {
      const link = await create();
      expect(link).to.include({
        title: 'the VPN',
        note: null,
        accepts: 'both',
        bytesMax: null,
        state: 'open',
      });
      expect(link).to.include({ answersMax: 1, answersUsed: 0, allowsName: false, hasPassphrase: false });
      expect(link.expiresAt - link.createdAt).to.equal(7 * dayMs);
      expect(link.urlToken).to.match(/^[0-9a-hjkmnp-tv-z]{26}$/);
      expect(await links.list({ account: ann })).to.deep.equal([link]);
      const other = await create({ expireAfterMinutes: 5, answers: 100, allowName: true, accepts: 'text' });
      expect(other).to.include({ answersMax: 100, allowsName: true, accepts: 'text' });
      expect(other.expiresAt - other.createdAt).to.equal(5 * minuteMs);
    });

    it('refuses what is out of bounds, each with its reason', async () => {
      const bad = {
        title: ' ',
        note: 'x'.repeat(2_001),
        accepts: 'qr',
        expireAfterMinutes: 4,
        answers: 101,
        filesBytesMax: 2 * 1024 ** 2 + 1,
        passphrase: 'x'.repeat(1_025),
      };
      const { code, problems } = await refusalOf(create(bad));
      expect(code).to.equal('invalid');
      expect(problems).to.deep.equal({
        title: [{ code: 'required' }],
        note: [{ code: 'maxLength', max: 2_000, unit: 'characters' }],
        accepts: [{ code: 'oneOf', values: ['text', 'files', 'both'] }],
        expireAfterMinutes: [{ code: 'between', min: 5, max: 129_600 }],
        answers: [{ code: 'between', min: 1, max: 100 }],
        filesBytesMax: [{ code: 'between', min: 1, max: 2_097_152 }],
        passphrase: [{ code: 'maxLength', max: 1_024, unit: 'bytes' }],
      });
      expect((await refusalOf(create({ title: 'x'.repeat(101) }))).problems.title).to.have.length(1);
    });

    it('is one of a hundred open ones at most, also of those that are created at once', async () => {
      const results = await Promise.allSettled(Array.from({ length: 105 }, () => create()));
      const refused = results.flatMap((result) =>
        result.status === 'rejected' ? [result.reason.messageCode] : [],
      );
      expect(refused).to.deep.equal(Array(5).fill('tooManyOpenRequests'));
      expect(await links.list({ account: ann })).to.have.length(100);
    });

    it('takes files only for an account that may attach them', async () => {
      const { account: ben } = await createAccount(domain);
      expect(await create({}, ben)).to.include({ accepts: 'text' });
      expect(await refusal(create({ accepts: 'files' }, ben))).to.match(/^forbidden/);
    });

    it('has title, note and token sealed in the database, and its passphrase hashed', async () => {
      const link = await create({ title: 'title-4711', note: 'note-4712', passphrase: 'pass-4713' });
      const dump = await dumpDatabase(service);
      for (const secret of ['title-4711', 'note-4712', 'pass-4713', tokenOf(link)]) {
        expect(dump).to.not.contain(secret);
        expect(dump).to.not.contain(Buffer.from(secret).toString('hex'));
      }
      expect(await find(link)).to.include({ title: 'title-4711', note: 'note-4712', hasPassphrase: true });
    });

    it('is seen and closed by its account alone', async () => {
      const link = await create();
      const { account: ben } = await createAccount(domain);
      expect(await refusal(links.find({ account: ben }, link.id))).to.equal(closed);
      expect(await refusal(links.listAnswers({ account: ben }, link.id))).to.equal(closed);
      expect(await refusal(links.close(ben, link.id))).to.equal(closed);
      expect(await links.list({ account: ben })).to.be.empty;
      expect(await find(link)).to.include({ state: 'open' });
    });

    it('shows its token to no API token that may not see links', async () => {
      const link = await create();
      const token = { id: Buffer.alloc(16), scope: 'read' as const };
      expect(await links.find({ account: ann, token }, link.id)).to.include({
        urlToken: null,
        title: 'the VPN',
      });
    });
  });

  describe('when a stranger opens it', () => {
    it('says who asks, for what, and until when', async () => {
      const link = await create({ note: 'of the office', allowName: true, passphrase: 'hush' });
      const shown = await links.preview(tokenOf(link), stranger);
      expect(shown).to.include({
        title: 'the VPN',
        note: 'of the office',
        allowsName: true,
        hasPassphrase: true,
      });
      expect(shown).to.include({ expiresAt: link.expiresAt });
      expect(shown.asker).to.deep.equal({ name: ann.email, platform: null, isConfirmed: true });
    });

    it('tells an address that nobody checked from others', async () => {
      const link = await create();
      await service.database.execute('UPDATE accounts SET signed_up = TRUE WHERE id = $id', { id: ann.id });
      expect((await links.preview(tokenOf(link), stranger)).asker).to.include({ isConfirmed: false });
    });

    it('looks like one that never was once it is closed, used up, over, or its account is disabled', async () => {
      const [byHand, full, late, disabled] = [await create(), await create(), await create(), await create()];
      await links.close(ann, byHand.id);
      await answer(full);
      await age(late, 8 * dayMs);
      const reads = (link: { urlToken: string | null }) => links.preview(link.urlToken ?? '', stranger);
      const begins = (link: RequestLink) => answer(link);
      for (const link of [byHand, full, late]) {
        expect(await refusal(reads(link))).to.equal(closed);
        expect(await refusal(begins(link))).to.equal(closed);
      }
      await service.database.execute('UPDATE accounts SET disabled_at = 1 WHERE id = $id', { id: ann.id });
      expect(await refusal(reads(disabled))).to.equal(closed);
      expect(await refusal(begins(disabled))).to.equal(closed);
      expect(await refusal(reads({ urlToken: '0123456789abcdefghjkmnpqrs' }))).to.equal(closed);
      expect(await refusal(reads({ urlToken: 'a' }))).to.equal(closed);
      await service.database.execute('UPDATE accounts SET disabled_at = NULL WHERE id = $id', { id: ann.id });
      expect((await links.list({ account: ann })).map(({ state }) => state).sort()).to.deep.equal([
        ...['answered', 'closed', 'expired', 'open'],
      ]);
    });
  });

  describe('when it is answered', () => {
    it('stores a push of its account, with one view, and gives a receipt that both sides see', async () => {
      const link = await create({ allowName: true });
      const { receipt, ...rest } = await answer(link, { name: 'Bea, Acme' });
      expect(rest).to.be.empty;
      expect(receipt).to.match(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/);
      const [listed, ...others] = await answersTo(link);
      expect(others).to.be.empty;
      expect(listed).to.include({ receipt, name: 'Bea, Acme', isWaiting: true });
      const token = listed?.urlToken ?? '';
      const push = await domain.pushes.preview(token, { account: ann, client: someClient });
      expect(push).to.include({ name: 'the VPN', viewsMax: 1, retrievalStep: true, kind: 'text' });
      const opened = await domain.pushes.reveal(token, undefined, { account: null, client: someClient });
      expect(opened).to.include({ payload: 'tulip', sender: 'Bea, Acme' });
      expect((await answersTo(link))[0]).to.include({ isWaiting: false });
      expect(await find(link)).to.include({ state: 'answered', answersUsed: 1 });
    });

    it('takes files, up to its limit, and keeps none that were not sent', async () => {
      const link = await create({ filesBytesMax: 10, answers: 2 });
      const send = async (content: string) => {
        await using begun = await links.beginAnswer(tokenOf(link), stranger);
        const form = newForm({ text: '' });
        await begun.addFile(fileOf(content), form);
        return await begun.send(form);
      };
      expect(await refusal(send('eleven bytes'))).to.match(/^too_large/);
      expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
      await send('ten bytes!');
      expect(await storedFiles(service)).to.include({ rows: 1 });
      expect(await find(link)).to.include({ answersUsed: 1 });
    });

    it('keeps nothing of an answer that is cut off', async () => {
      const link = await create();
      const before = await storedFiles(service);
      const broken = (async () => {
        await using begun = await links.beginAnswer(tokenOf(link), stranger);
        const stream = Readable.from(
          (async function* () {
            yield Buffer.from('the first half');
            throw new Error('cut off');
          })(),
        );
        await begun.addFile({ filename: 'a', contentType: '', stream }, newForm());
      })();
      expect(await broken.catch(({ message }) => message)).to.equal('cut off');
      expect(await storedFiles(service)).to.deep.equal(before);
      expect(await find(link)).to.include({ answersUsed: 0, state: 'open' });
      expect(await answersTo(link)).to.be.empty;
    });

    it('takes only what it asks for', async () => {
      const [text, files] = [await create({ accepts: 'text' }), await create({ accepts: 'files' })];
      const withFile = async (link: RequestLink, form: object) => {
        await using begun = await links.beginAnswer(tokenOf(link), stranger);
        const sent = newForm(form);
        await begun.addFile(fileOf('x'), sent);
        return await begun.send(sent);
      };
      expect((await refusalOf(withFile(text, {}))).problems).to.deep.equal({
        files: [{ code: 'notAccepted' }],
      });
      expect((await refusalOf(answer(files, { text: '' }))).problems).to.deep.equal({
        files: [{ code: 'fileRequired' }],
      });
      expect((await refusalOf(withFile(files, {}))).problems).to.deep.equal({
        payload: [{ code: 'notAccepted' }],
      });
      expect((await refusalOf(answer(text, { text: ' ' }))).problems).to.deep.equal({
        payload: [{ code: 'required' }],
      });
      await answer(text, { name: 'nobody asked' });
      expect((await answersTo(text))[0]).to.include({ name: null });
      await withFile(files, { text: '' });
      for (const link of [text, files]) expect(await find(link)).to.include({ answersUsed: 1 });
    });

    it('gives its last place to exactly one of fifty', async () => {
      const link = await create({ answers: 3 });
      for (const text of ['one', 'two']) await answer(link, { text });
      const before = await countRows(service, 'pushes');
      const results = await Promise.allSettled(Array.from({ length: 50 }, () => answer(link)));
      const stored = results.filter(({ status }) => status === 'fulfilled');
      const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
      expect(stored).to.have.length(1);
      expect(new Set(refused)).to.deep.equal(new Set(['not_found']));
      expect(await countRows(service, 'pushes')).to.equal(before + 1);
      expect(await answersTo(link)).to.have.length(3);
    });

    it('takes a form once, however often it is sent, and gives it the same receipt', async () => {
      const link = await create({ answers: 5 });
      const form = newForm();
      const receipts = await Promise.all(Array.from({ length: 6 }, () => answer(link, form)));
      expect(new Set(receipts.map(({ receipt }) => receipt))).to.have.length(1);
      expect(await answersTo(link)).to.have.length(1);
      await links.close(ann, link.id);
      expect(await answer(link, form)).to.deep.equal(receipts[0]);
      expect(await find(link)).to.include({ answersUsed: 1, state: 'closed' });
      const other = await create();
      expect((await answer(other, form)).receipt).to.not.equal(receipts[0]?.receipt);
    });

    it('does not take a form for sent that says something else, not even when both are sent at once', async () => {
      const link = await create({ answers: 5 });
      const { formId } = newForm();
      const texts = ['tulip', 'rose', 'tulip', 'rose'];
      const results = await Promise.allSettled(texts.map((text) => answer(link, { formId, text })));
      const stored = results.flatMap((result) =>
        result.status === 'fulfilled' ? [result.value.receipt] : [],
      );
      const refused = results.flatMap((result) =>
        result.status === 'rejected' ? [[result.reason.messageCode, result.reason.values.receipt]] : [],
      );
      expect([stored.length, new Set(stored).size]).to.deep.equal([2, 1]);
      expect(refused).to.deep.equal(Array(2).fill(['answerSentBefore', stored[0]]));
      expect(await answersTo(link)).to.have.length(1);
    });

    it('takes no answer once it has ended, before anything is read, but for one that was sent before', async () => {
      const link = await create({ answers: 1 });
      const form = newForm();
      const { receipt } = await answer(link, form);
      expect(await refusal(links.beginAnswer(tokenOf(link), stranger, newForm().formId))).to.equal(closed);
      await using again = await links.beginAnswer(tokenOf(link), stranger, form.formId);
      expect(await again.send(form)).to.deep.equal({ receipt });
    });

    it('takes none after it was closed, not even one that had begun; what came stays', async () => {
      const link = await create({ answers: 2 });
      await answer(link);
      await using begun = await links.beginAnswer(tokenOf(link), stranger);
      const form = newForm();
      await begun.addFile(fileOf('half'), form);
      await links.close(ann, link.id);
      expect(await refusal(begun.send(form))).to.equal(closed);
      expect(await answersTo(link)).to.have.length(1);
      expect(await refusal(links.close(ann, link.id))).to.equal(closed);
    });

    it('needs its passphrase before a file is stored, within the limits of passphrases', async () => {
      const limited = await startService({ RATE_LIMITS: 'on', LIMIT_PASSPHRASE_BY_CLIENT: '2/10m' });
      try {
        const { requestLinks } = limited.domain;
        const { account } = await createAccount(limited.domain, undefined, { subscribed: true });
        const asker = { account, client: someClient };
        const { urlToken } = await requestLinks.create(asker, { title: 'x', passphrase: 'hush' });
        const send = async (passphrase?: string) => {
          await using begun = await requestLinks.beginAnswer(urlToken ?? '', stranger);
          const form = newForm({ passphrase });
          await begun.addFile(fileOf('x'), form);
          return await begun.send(form);
        };
        expect((await refusalOf(send())).problems).to.deep.equal({ passphrase: [{ code: 'required' }] });
        expect(await refusalOf(send('wrong'))).to.deep.include({ triesLeft: 1 });
        expect(await storedFiles(limited)).to.include({ rows: 0 });
        await send(' hush ');
        const { urlToken: second } = await requestLinks.create(asker, { title: 'x', passphrase: 'hush' });
        const guess = async (passphrase: string) => {
          await using begun = await requestLinks.beginAnswer(second ?? '', stranger);
          return await begun.send(newForm({ passphrase }));
        };
        for (const wrong of ['one', 'two']) expect(await refusal(guess(wrong))).to.match(/^unauthenticated/);
        expect(await refusal(guess('hush'))).to.match(/^too_many/);
      } finally {
        await limited.stop();
      }
    });

    it('is limited by client, link and account, before anything is read', async () => {
      for (const setting of ['LIMIT_ANSWERS', 'LIMIT_ANSWERS_BY_LINK', 'LIMIT_ANSWERS_BY_ACCOUNT']) {
        const limited = await startService({ RATE_LIMITS: 'on', [setting]: '2/1h' });
        try {
          const { requestLinks } = limited.domain;
          const { account } = await createAccount(limited.domain);
          const { account: other } = await createAccount(limited.domain);
          const open = async (owner: Account) =>
            (await requestLinks.create({ account: owner, client: someClient }, { title: 'x' })).urlToken ??
            '';
          const [first, second, ofOther] = [await open(account), await open(account), await open(other)];
          const begin = (token: string, ip: string) => requestLinks.beginAnswer(token, { ...stranger, ip });
          for (const _ of [1, 2]) await begin(first, '198.51.100.7');
          expect(await refusal(begin(first, '198.51.100.7'))).to.match(/^too_many/);
          const isByClient = setting === 'LIMIT_ANSWERS';
          const isByLink = setting === 'LIMIT_ANSWERS_BY_LINK';
          const outcome = async (attempt: Promise<unknown>) =>
            attempt.then(
              () => true,
              () => false,
            );
          expect(await outcome(begin(first, '203.0.113.9'))).to.equal(isByClient);
          expect(await outcome(begin(second, '203.0.113.9'))).to.equal(isByClient || isByLink);
          expect(await outcome(begin(ofOther, '203.0.113.10'))).to.equal(true);
        } finally {
          await limited.stop();
        }
      }
    });

    it('counts links that ended as guesses, like links that never were', async () => {
      const limited = await startService({ RATE_LIMITS: 'on', LIMIT_UNKNOWN_TOKENS: '2/1m' });
      try {
        const { requestLinks } = limited.domain;
        const { account } = await createAccount(limited.domain);
        const link = await requestLinks.create({ account, client: someClient }, { title: 'x' });
        await requestLinks.close(account, link.id);
        for (const [token, ip] of [
          [link.urlToken ?? '', '198.51.100.7'],
          ['0123456789abcdefghjkmnpqrs', '198.51.100.8'],
        ] as const) {
          const read = () => refusal(requestLinks.preview(token, { ...stranger, ip }));
          expect([await read(), await read()]).to.deep.equal([closed, closed]);
          expect(await read()).to.match(/^too_many/);
        }
      } finally {
        await limited.stop();
      }
    });
  });

  describe('when its answers are sealed', () => {
    const sealTo = async (link: RequestLink, answerId: string, payload = 'tulip') => {
      const place = { token: tokenOf(link), answerId };
      const { push, key } = await encryptPush({ payload });
      const sealedKey = await sealKey(key, link.publicKeys ?? '', place);
      return { formId: answerId, text: push.payload ?? '', sealedKey };
    };
    const newId = () => `a-sealed-answer-${++forms}`;

    it('stores what only its owner opens, with the receipt that both sides compute', async () => {
      const { openingKey, publicKeys } = await createOpeningKey();
      const link = await create({ publicKeys, allowName: true });
      expect(link).to.include({ publicKeys, wrappedKey: null });
      expect(await links.preview(tokenOf(link), stranger)).to.include({ publicKeys });
      const form = await sealTo(link, newId());
      const { receipt } = await answer(link, { ...form, name: 'Bea' });
      const place = { token: tokenOf(link), answerId: form.formId };
      expect(receipt).to.equal(await receiptOf(form.sealedKey, place));
      const [listed] = await answersTo(link);
      expect(listed).to.deep.include({
        receipt,
        name: 'Bea',
        sealed: { answerId: form.formId, key: form.sealedKey },
      });
      const dump = await dumpDatabase(service);
      expect(dump)
        .to.not.contain(form.sealedKey)
        .and.not.contain(Buffer.from(form.sealedKey).toString('hex'));
      const stored = await domain.pushes.reveal(listed?.urlToken ?? '', undefined, {
        account: null,
        client: someClient,
      });
      expect(stored.push).to.include({ encrypted: true, kind: 'text' });
      const open = await createOpener(openingKey, publicKeys);
      expect(await openSecret(await open(form.sealedKey, place), stored.payload ?? '')).to.include({
        text: 'tulip',
      });
    });

    it('takes an answer that the browser could not seal, and says of each whether it was', async () => {
      const { publicKeys } = await createOpeningKey();
      const link = await create({ publicKeys, answers: 2 });
      await answer(link);
      await answer(link, await sealTo(link, newId()));
      const [plain, sealed] = await answersTo(link);
      expect(plain?.sealed).to.equal(null);
      expect(sealed?.sealed?.key).to.have.length(135);
    });

    it('refuses what nobody could open, before a file is stored, and without keys', async () => {
      const { publicKeys } = await createOpeningKey();
      const [link, plain] = [await create({ publicKeys }), await create()];
      const form = await sealTo(link, newId());
      const before = await storedFiles(service);
      const bad: [RequestLink, object, string][] = [
        [plain, form, 'notAccepted'],
        [link, { ...form, sealedKey: 'tulip' }, 'notEncrypted'],
        [link, { ...form, sealedKey: `${form.sealedKey}A` }, 'notEncrypted'],
        [link, { ...form, formId: 'short' }, 'notEncrypted'],
        [link, { ...form, formId: 'x'.repeat(65) }, 'notEncrypted'],
      ];
      for (const [to, sent, code] of bad) {
        const send = async () => {
          await using begun = await links.beginAnswer(tokenOf(to), stranger);
          await begun.addFile(fileOf('x'), newForm(sent));
        };
        expect((await refusalOf(send())).problems).to.deep.equal({ sealedKey: [{ code }] });
      }
      const { problems } = await refusalOf(answer(link, { ...form, text: 'tulip' }));
      expect(problems).to.deep.equal({ payload: [{ code: 'notEncrypted' }] });
      expect(await storedFiles(service)).to.deep.equal(before);
      expect(await answersTo(link)).to.be.empty;
      for (const keys of ['x', publicKeys.slice(1), `${publicKeys}.${publicKeys}`])
        expect((await refusalOf(create({ publicKeys: keys }))).problems).to.have.key('publicKeys');
      const [salt, payload] = ['s'.repeat(43), `A${'p'.repeat(400)}`];
      for (const wrappedKey of [
        'x',
        `prf..${salt}.${payload}`,
        `prf.c.${salt}s.${payload}`,
        `prf.c.${payload}`,
      ])
        expect((await refusalOf(create({ publicKeys, wrappedKey }))).problems).to.have.key('wrappedKey');
    });

    it('takes a sealed answer once: a replay gets its receipt, and one under another id does not open', async () => {
      const { openingKey, publicKeys } = await createOpeningKey();
      const link = await create({ publicKeys, answers: 5 });
      const form = await sealTo(link, newId());
      const receipts = [await answer(link, form), await answer(link, form)];
      expect(receipts[0]).to.deep.equal(receipts[1]);
      const again = newId();
      await answer(link, { ...form, formId: again });
      expect(await answersTo(link)).to.have.length(2);
      const open = await createOpener(openingKey, publicKeys);
      const refused = await open(form.sealedKey, { token: tokenOf(link), answerId: again }).catch(
        (error) => error,
      );
      expect(refused).to.be.instanceOf(DecryptionError);
    });

    it('shows its wrapped key to no API token that may not see links', async () => {
      const { openingKey, publicKeys } = await createOpeningKey();
      const wrappedKey = await wrapKey(openingKey, 'correct horse');
      const link = await create({ publicKeys, wrappedKey });
      expect(link).to.include({ publicKeys, wrappedKey });
      const token = { id: Buffer.alloc(16), scope: 'read' as const };
      expect(await links.find({ account: ann, token }, link.id)).to.include({ wrappedKey: null, publicKeys });
      expect(await links.list({ account: ann })).to.deep.equal([link]);
    });

    it('is opened by the passkey that its wrapped key names', async () => {
      const { publicKeys } = await createOpeningKey();
      const credentialId = '-_'.repeat(682); // the longest (WebAuthn, Level 3, 5.8.3)
      const wrappedKey = `prf.${credentialId}.${'s'.repeat(43)}.A${'p'.repeat(400)}`;
      const link = await create({ publicKeys, wrappedKey });
      expect(link).to.include({ wrappedKey });
      expect(passkeyThatOpens(link)).to.equal(credentialId);
      expect(passkeyThatOpens(await create({ publicKeys }))).to.equal(undefined);
    });

    it('is none where the operator allows no encryption', async () => {
      const other = await startService({ ALLOW_ENCRYPTED: 'false' });
      try {
        const { account } = await createAccount(other.domain);
        const { publicKeys } = await createOpeningKey();
        const made = other.domain.requestLinks.create(
          { account, client: someClient },
          { title: 'x', publicKeys },
        );
        expect(await refusal(made)).to.equal(
          'forbidden: This server does not take secrets that it cannot read.',
        );
      } finally {
        await other.stop();
      }
    });
  });

  describe('what its account is told', () => {
    it('each answer, whatever it prefers, and before one ends unopened', async () => {
      const chatUser = newChatUser();
      const { address } = chatUser;
      await connectChat(domain, chatUser, { account: ann });
      const none = { expired: false, failedPassphrase: false, reminder: false, askedAgain: false };
      await domain.accounts.setNoticePreferences(ann, { viewed: 'none', ...none });
      const account = { ...ann, notify: 0 };
      const link = await links.create({ account, client: someClient }, { title: 'the VPN' });
      await answer(link);
      const told = await deliverNotices(domain);
      expect(summarize(told)).to.deep.equal([`${address} answered`]);
      await service.database.execute('UPDATE pushes SET due_at = 1 WHERE account_id = $id', { id: ann.id });
      await domain.sweeps.remindUnread();
      expect(summarize(await deliverNotices(domain))).to.deep.equal([`${address} about_to_expire`]);
    });
  });

  it('goes with its account, and long after its end', async () => {
    const link = await create({ answers: 2 });
    await answer(link);
    await domain.requestLinks.purge();
    expect(await countRows(service, 'request_answers')).to.be.above(0);
    await service.database.execute('UPDATE request_links SET purge_at = 1 WHERE id = $id', {
      id: Buffer.from(link.id, 'hex'),
    });
    await domain.requestLinks.purge();
    expect(await refusal(links.find({ account: ann }, link.id))).to.equal(closed);
    await create();
    await domain.accounts.erase(ann.email, 'operator');
    const left = await service.database.select('SELECT 1 FROM request_links WHERE account_id = $id', {
      id: ann.id,
    });
    expect(left).to.be.empty;
  });
});
