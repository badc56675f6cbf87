import { Readable } from 'node:stream';
import { expect } from 'chai';
import { digestOf } from '../../../src/crypto/tokens.ts';
import type { ComposeContext, Domain, Push } from '../../../src/domain/index.ts';
import { times } from '../../harness/api.ts';
import {
  askFor,
  chatCaller,
  countRows,
  deliverNotices,
  dumpDatabase,
  newChatUser,
  setRules,
  summarize,
} from '../../harness/chat.ts';
import { refusalOf } from '../../harness/refusal.ts';
import { anonymous, refusal, startService, type TestService } from '../../harness/service.ts';

const minuteMs = 60_000;
const over = 'not_found: This link was used, or is too old.';

describe('A one-time link', () => {
  let service: TestService;
  let domain: Domain;
  let chat: Domain['chat'];

  before(async () => {
    service = await startService();
    ({ domain } = service);
    ({ chat } = domain);
  });

  after(() => service.stop());

  const age = (token: string, ms: number) =>
    service.database.execute(
      'UPDATE one_time_links SET expires_at = expires_at - $ms WHERE digest = $digest',
      {
        ms,
        digest: digestOf(token),
      },
    );

  const isThere = (token: string) =>
    countRows(service, 'one_time_links', 'digest = $digest', { digest: digestOf(token) });

  it('has a token of 256 random bits, and returns its context', async () => {
    const tokens = await times(20, (index) => chat.links.create('oauth', { index }));
    expect(new Set(tokens).size).to.equal(20);
    for (const [index, token] of tokens.entries()) {
      expect(token).to.match(/^[\w-]{43}$/);
      expect(Buffer.from(token, 'base64url')).to.have.length(32);
      expect(await chat.links.read('oauth', token)).to.deep.equal({ index });
      expect(await chat.links.redeem('oauth', token)).to.deep.equal({ index });
      expect(await refusal(chat.links.redeem('oauth', token))).to.equal(over);
      expect(await refusal(chat.links.read('oauth', token))).to.equal(over);
    }
  });

  it('is redeemed by exactly one of twenty concurrent callers', async () => {
    const token = await chat.links.create('oauth', { state: 'x' });
    const redeemed = await Promise.allSettled(
      Array.from({ length: 20 }, () => chat.links.redeem('oauth', token)),
    );
    expect(redeemed.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    for (const each of redeemed)
      if (each.status === 'rejected') expect(each.reason).to.have.property('code', 'not_found');
  });

  it('works from the moment it is saved, even if it was shown before', async () => {
    const { token, save } = chat.links.prepare('draft', { text: 'tulip' });
    expect(await refusal(chat.links.read('draft', token))).to.equal(over);
    await save();
    expect(await chat.links.read('draft', token)).to.deep.equal({ text: 'tulip' });
  });

  it('works only for its own purpose, and survives an attempt to use it for another', async () => {
    const token = await chat.links.create('connect', newChatUser());
    expect(await refusal(chat.links.read('compose', token))).to.equal(over);
    expect(await refusal(chat.links.redeem('oauth', token))).to.equal(over);
    expect(await refusal(chat.compose(token, { payload: 'tulip' }))).to.equal(over);
    expect(await refusal(chat.previewCompose(token))).to.equal(over);
    await chat.links.redeem('connect', token);
  });

  it('is found only by its exact token', async () => {
    const token = await chat.links.create('oauth', {});
    for (const other of [
      '',
      'x',
      token.slice(1),
      `${token}=`,
      `${token}\n`,
      token.toUpperCase(),
      '%'.repeat(43),
    ])
      expect(await refusal(chat.links.redeem('oauth', other))).to.equal(over);
    await chat.links.redeem('oauth', token);
  });

  it('has neither its token nor its context stored in clear', async () => {
    const token = await chat.links.create('draft', { text: 'draft-4711' });
    const dump = await dumpDatabase(service);
    for (const secret of ['draft-4711', token]) {
      expect(dump).to.not.contain(secret);
      expect(dump).to.not.contain(Buffer.from(secret).toString('hex'));
    }
    expect(dump).to.not.contain(Buffer.from(token, 'base64url').toString('hex'));
    // nor can someone with the database and the keys, but no token, swap the contexts of two links
    const other = await chat.links.create('draft', { text: 'another' });
    await service.database.execute(
      `UPDATE one_time_links SET context = (SELECT context FROM (SELECT * FROM one_time_links) AS l WHERE l.digest = $from)
       WHERE digest = $to`,
      { from: digestOf(token), to: digestOf(other) },
    );
    const looking = chat.links.read('draft', other).then(
      () => 'it opened',
      () => 'it did not open',
    );
    expect(await looking).to.equal('it did not open');
  });

  it('holds the longest text that a chat allows, in any script', async () => {
    const text = '🌷'.repeat(40_000);
    const token = await chat.links.create('draft', { text });
    expect(await chat.links.read('draft', token)).to.deep.equal({ text });
  });

  for (const [purpose, minutes] of [
    ['compose', 15],
    ['connect', 10],
    ['oauth', 10],
    ['draft', 60],
  ] as const) {
    it(`is valid for ${minutes} minutes of the database’s clock when its purpose is ${purpose}`, async () => {
      const token = await chat.links.create(purpose, {});
      await age(token, (minutes - 1) * minuteMs);
      await chat.links.purge();
      await chat.links.read(purpose, token);
      await age(token, minuteMs);
      expect(await refusal(chat.links.read(purpose, token))).to.equal(over);
      expect(await refusal(chat.links.redeem(purpose, token))).to.equal(over);
      expect(await isThere(token)).to.equal(1);
      await new Promise((resolve) => setTimeout(resolve, 2)); // so that its last millisecond has passed
      await chat.purge();
      expect(await isThere(token)).to.equal(0);
    });
  }

  describe('for composing a push in the browser', () => {
    async function linkFor(
      composing: Partial<ComposeContext> = {},
    ): Promise<{ token: string; composing: ComposeContext }> {
      const whole = { ...chatCaller(), ...composing };
      const { token, save } = chat.prepareComposeLink(whole);
      await save();
      return { token, composing: whole };
    }

    const pushesOf = async ({ chatUser }: ComposeContext) =>
      domain.pushes.list({ account: await chat.identities.accountOf(chatUser) }, 'active', 1);

    it('returns its context and the form’s defaults any number of times', async () => {
      const { token, composing } = await linkFor({
        workspace: 'composing',
        replyTo: 'https://example.com/reply',
      });
      await chat.settings.setForUser(composing.chatUser, { expireAfterViews: 3 });
      await setRules({ chat }, 'slack', 'composing', {
        requireRecipients: false,
        allowSlashText: true,
        maxDays: 2,
      });
      for (const _ of [1, 2]) {
        const looked = await chat.previewCompose(token);
        expect(looked.context).to.deep.equal(composing);
        expect(looked.defaults).to.include({ views: 3, days: 2, maxDays: 2, maxViews: 100 });
      }
    });

    it('creates a push of the chat user, and notifies them in their chat whatever their preferences', async () => {
      const { token, composing } = await linkFor();
      const { chatUser } = composing;
      await domain.accounts.setNoticePreferences(await chat.identities.accountOf(chatUser), {
        viewed: 'none',
        expired: false,
        failedPassphrase: false,
        reminder: false,
      });
      await deliverNotices(domain);
      const received: [ComposeContext, Push][] = [];
      chat.onComposed(chatUser.platform, (...what) => void received.push(what));
      chat.onComposed('discord', () => expect.fail('told another chat'));
      const { push } = await chat.compose(token, { payload: 'tulip', name: 'VPN', expireAfterViews: 1 });
      expect((await pushesOf(composing)).map(({ id }) => id)).to.deep.equal([push.id]);
      expect(push).to.include({ retrievalStep: true, viewsMax: 1, name: 'VPN' });
      expect(received).to.deep.equal([[composing, push]]);
      const all = await deliverNotices(domain);
      expect(summarize(all)).to.deep.equal([`${chatUser.address} composed`]);
      expect(all[0]?.notice).to.deep.nested.include({ 'push.id': push.id, 'push.name': 'VPN', times: 1 });
      expect((await domain.pushes.reveal(push.urlToken, undefined, anonymous)).payload).to.equal('tulip');
      chat.onComposed(chatUser.platform, () => {});
    });

    it('creates one push when twenty submit the form concurrently, and none later', async () => {
      const { token, composing } = await linkFor();
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, () => chat.compose(token, { payload: 'tulip' })),
      );
      const refused = results.filter(({ status }) => status === 'rejected');
      expect(refused).to.have.length(19);
      for (const each of refused) expect(each).to.have.nested.property('reason.code', 'not_found');
      expect(await refusal(chat.compose(token, { payload: 'tulip' }))).to.equal(over);
      expect(await refusal(chat.previewCompose(token))).to.equal(over);
      expect(await pushesOf(composing)).to.have.length(1);
      expect(summarize(await deliverNotices(domain, [composing.chatUser]))).to.deep.equal([
        `${composing.chatUser.address} composed`,
      ]);
    });

    it('stays valid when the form is refused', async () => {
      const { token, composing } = await linkFor();
      const { code, problems } = await refusalOf(chat.compose(token, { payload: '', expireAfterViews: 0 }));
      expect(code).to.equal('invalid');
      expect(Object.keys(problems)).to.have.members(['payload', 'expireAfterViews']);
      expect(await deliverNotices(domain, [composing.chatUser])).to.be.empty;
      await chat.compose(token, { payload: 'tulip' });
    });

    it('creates nothing once it has expired', async () => {
      const { token, composing } = await linkFor();
      await age(token, 15 * minuteMs);
      expect(await refusal(chat.compose(token, { payload: 'tulip' }))).to.equal(over);
      expect(await pushesOf(composing)).to.be.empty;
    });

    it('counts as a command of the chat user', async () => {
      const limited = await startService({ RATE_LIMITS: 'on', LIMIT_COMMANDS: '1/1m' });
      try {
        const { token, save } = limited.domain.chat.prepareComposeLink(chatCaller());
        await save();
        expect(await refusal(limited.domain.chat.compose(token, { payload: '' }))).to.match(/^invalid/);
        expect(await refusal(limited.domain.chat.compose(token, { payload: 'tulip' }))).to.match(/^too_many/);
      } finally {
        await limited.stop();
      }
    });

    it('does not count as a command when the files are refused', async () => {
      const limited = await startService({ RATE_LIMITS: 'on', LIMIT_COMMANDS: '1/1m', FILES: 'everyone' });
      const { chat, pushes } = limited.domain;
      try {
        const { token, save } = chat.prepareComposeLink(chatCaller());
        await save();
        const composeWithFile = async (filename: string) => {
          await using creation = await chat.beginCompose(token);
          await creation.addFile({
            filename,
            contentType: '',
            stream: Readable.from([Buffer.from('tulip')]),
          });
          return await creation.create({ payload: '' });
        };
        for (const name of ['', ' ', 'a'.repeat(256)])
          expect(await refusal(composeWithFile(name))).to.match(/^invalid: files/);
        const { push } = await composeWithFile('a.pem');
        expect(await pushes.preview(push.urlToken, anonymous)).to.include({
          kind: 'file',
          retrievalStep: true,
        });
      } finally {
        await limited.stop();
      }
    });

    it('answers a request, and stops working when the request ends', async () => {
      const [ann, ben] = [newChatUser(), newChatUser()];
      const [first, second] = [await askFor({ chat }, ann, ben, {}), await askFor({ chat }, ann, ben, {})];
      const { token } = await linkFor({ chatUser: ben, requestId: first.id });
      await deliverNotices(domain);
      const { push } = await chat.compose(token, { payload: 'tulip' });
      const all = await deliverNotices(domain, [ann, ben]);
      expect(summarize(all)).to.deep.equal([`${ann.address} shared`, `${ben.address} composed`].sort());
      for (const { notice } of all) expect(notice).to.have.nested.property('push.id', push.id);
      expect(await chat.requests.maybeFind(Buffer.from(first.id, 'hex'))).to.include({ state: 'provided' });

      const { token: late } = await linkFor({ chatUser: ben, requestId: second.id });
      await chat.requests.decline(second.id, ben);
      expect(await refusal(chat.compose(late, { payload: 'tulip' }))).to.equal(
        'not_found: This request has ended.',
      );
    });

    it('shares the push with recipients chosen meanwhile, which the workspace may require', async () => {
      const [ann, workspace] = [newChatUser(), 'with recipients'];
      await setRules({ chat }, 'slack', workspace, {
        requireRecipients: true,
        allowSlashText: true,
      });
      const { token } = await linkFor({ workspace });
      expect((await refusalOf(chat.compose(token, { payload: 'tulip' }))).problems).to.have.key('recipients');
      const { token: other } = await linkFor({ workspace, recipients: [ann] });
      await deliverNotices(domain);
      await chat.compose(other, { payload: 'tulip' });
      expect(summarize(await deliverNotices(domain, [ann]))).to.deep.equal([`${ann.address} shared`]);
    });
  });
});
