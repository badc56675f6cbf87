import { expect } from 'chai';
import { domainSettings, readConfig } from '../../../src/config.ts';
import { connectDatabase } from '../../../src/database/database.ts';
import { type ChatUser, createDomain, type Domain, outside, type Push } from '../../../src/domain/index.ts';
import { times } from '../../harness/api.ts';
import {
  askFor,
  chatCaller,
  countRows,
  deliverNotices,
  dumpDatabase,
  duringErasure,
  newChatUser,
  setRules,
  summarize,
} from '../../harness/chat.ts';
import { refusalOf } from '../../harness/refusal.ts';
import { anonymous, createAccount, refusal, startService, type TestService } from '../../harness/service.ts';

const dayMs = 86_400_000;
const plain = { requireRecipients: false, allowSlashText: true };

describe('A push created from a chat', () => {
  let service: TestService;
  let domain: Domain;
  let chat: Domain['chat'];
  let workspaces = 0;

  before(async () => {
    service = await startService();
    ({ domain } = service);
    ({ chat } = domain);
  });

  after(() => service.stop());

  /** A new workspace. */
  const newWorkspace = () => {
    workspaces += 1;
    return `W${workspaces}`;
  };

  const pushesOf = async (chatUser: ChatUser) =>
    domain.pushes.list({ account: await chat.identities.accountOf(chatUser) }, 'active', 1);

  const daysOf = ({ expiresAt, createdAt }: Push) => (expiresAt - createdAt) / dayMs;

  /** Expects that nothing of a push is left. */
  async function expectNothingOf(chatUser: ChatUser): Promise<void> {
    const { id } = await chat.identities.accountOf(chatUser);
    expect(await countRows(service, 'pushes', 'account_id = $id', { id })).to.equal(0);
    for (const table of ['notices', 'audit_rows']) {
      const orphaned = `push_id NOT IN (SELECT id FROM pushes) AND push_id NOT IN (SELECT id FROM requests)`;
      expect(await countRows(service, table, orphaned), table).to.equal(0);
    }
  }

  describe('by a form', () => {
    it('holds the form’s values', async () => {
      const chatUser = newChatUser();
      const push = await chat.pushes.create(chatCaller(chatUser), {
        payload: '  tulip\n',
        expireAfterViews: 3,
        expireAfterDays: 2,
        passphrase: 'rose',
        name: 'VPN',
        note: 'for Ann',
        deletableByViewer: false,
        notify: { viewed: 'none' },
      });
      expect(push).to.include({ viewsMax: 3, hasPassphrase: true, name: 'VPN', note: 'for Ann' });
      expect(push).to.include({ deletableByViewer: false, kind: 'text' });
      expect(daysOf(push)).to.equal(2);
      expect(await refusal(domain.pushes.reveal(push.urlToken, 'tulip', anonymous))).to.match(
        /^unauthenticated/,
      );
      expect((await domain.pushes.reveal(push.urlToken, 'rose', anonymous)).payload).to.equal('  tulip\n');
      expect(summarize(await deliverNotices(domain, [chatUser]))).to.deep.equal([
        `${chatUser.address} failed_passphrase`,
      ]);
    });

    it('always has the retrieval step, because chats preview links', async () => {
      const without = await startService({ DEFAULT_RETRIEVAL_STEP: 'false' });
      try {
        const form = { payload: 'tulip', retrievalStep: false };
        const push = await without.domain.chat.pushes.create(chatCaller(), form);
        expect(push.retrievalStep).to.equal(true);
        const bot = { account: null, client: { ...anonymous.client, isPreviewer: () => true } };
        expect((await without.domain.pushes.reveal(push.urlToken, undefined, bot)).payload).to.equal(null);
      } finally {
        await without.stop();
      }
    });

    it('expires after hours instead of days if the form says so', async () => {
      const form = { payload: 'https://example.com', kind: 'url', expireAfterHours: 6, expireAfterDays: 3 };
      const push = await chat.pushes.create(chatCaller(), form);
      expect(push.kind).to.equal('url');
      expect(daysOf(push)).to.equal(0.25);
    });

    it('names the chat, and no IP address, in its audit log', async () => {
      const chatUser = newChatUser();
      const push = await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' });
      const account = await chat.identities.accountOf(chatUser);
      const [creation] = await domain.pushes.auditLog(push.urlToken, 1, {
        account,
        client: anonymous.client,
      });
      expect(creation).to.include({ kind: 'creation', ip: '', userAgent: 'Slack', referrer: '' });
    });
  });

  describe('with default limits for views and days', () => {
    const limitsFor = async (chatUser: ChatUser, workspace: string) => {
      const push = await chat.pushes.create(chatCaller(chatUser, { workspace }), { payload: 'tulip' });
      const { views, days } = await chat.formDefaults(chatCaller(chatUser, { workspace }));
      expect([push.viewsMax, daysOf(push)]).to.deep.equal([views, days]);
      return [views, days];
    };

    it('takes them from the person, then the workspace, then the service', async () => {
      const [chatUser, workspace] = [newChatUser(), newWorkspace()];
      expect(await limitsFor(chatUser, workspace)).to.deep.equal([5, 7]);
      await setRules({ chat }, 'slack', workspace, {
        ...plain,
        expireAfterViews: 3,
        expireAfterDays: 4,
      });
      expect(await limitsFor(chatUser, workspace)).to.deep.equal([3, 4]);
      await chat.settings.setForUser(chatUser, { expireAfterViews: 2 });
      expect(await limitsFor(chatUser, workspace)).to.deep.equal([2, 4]);
      await chat.settings.setForUser(chatUser, { expireAfterDays: 1 });
      expect(await limitsFor(chatUser, workspace)).to.deep.equal([3, 1]);
      expect(await limitsFor(newChatUser(), newWorkspace())).to.deep.equal([5, 7]);
    });

    it('stays within the limits of the workspace and the service', async () => {
      const [chatUser, workspace] = [newChatUser(), newWorkspace()];
      const { maxViews, maxDays } = await chat.formDefaults(chatCaller(chatUser, { workspace }));
      expect([maxViews, maxDays]).to.deep.equal([100, 90]);
      await chat.settings.setForUser(chatUser, { expireAfterViews: 50, expireAfterDays: 60 });
      await setRules({ chat }, 'slack', workspace, { ...plain, maxViews: 2, maxDays: 3 });
      expect(await limitsFor(chatUser, workspace)).to.deep.equal([2, 3]);
      const defaults = await chat.formDefaults(chatCaller(chatUser, { workspace }));
      expect(defaults).to.include({ maxViews: 2, maxDays: 3, requireRecipients: false });
    });

    it('stays within limits that were narrowed after the defaults were chosen', async () => {
      const narrow = createDomain({
        database: service.database,
        keyring: service.keyring,
        settings: domainSettings(
          readConfig({
            RATE_LIMITS: 'off',
            MIN_EXPIRE_AFTER_VIEWS: '4',
            MAX_EXPIRE_AFTER_VIEWS: '10',
            MIN_EXPIRE_AFTER_DAYS: '3',
            MAX_EXPIRE_AFTER_DAYS: '10',
          }),
        ),
      });
      const [few, many, workspace] = [newChatUser(), newChatUser(), newWorkspace()];
      await chat.settings.setForUser(few, { expireAfterViews: 1, expireAfterDays: 1 });
      await chat.settings.setForUser(many, { expireAfterViews: 50, expireAfterDays: 50 });
      const madeBy = async (chatUser: ChatUser, where: string) => {
        const push = await narrow.chat.pushes.create(chatCaller(chatUser, { workspace: where }), {
          payload: 'tulip',
        });
        return [push.viewsMax, daysOf(push)];
      };
      expect(await madeBy(few, workspace)).to.deep.equal([4, 3]);
      expect(await madeBy(many, workspace)).to.deep.equal([10, 10]);
      await setRules({ chat }, 'slack', workspace, { ...plain, maxViews: 1, maxDays: 1 });
      expect(await madeBy(many, workspace)).to.deep.equal([4, 3]);
    });
  });

  describe('against the rules', () => {
    it('is refused with every field that the workspace does not allow', async () => {
      const [chatUser, workspace] = [newChatUser(), newWorkspace()];
      await setRules({ chat }, 'slack', workspace, {
        requireRecipients: true,
        allowSlashText: true,
        maxViews: 2,
        maxDays: 3,
      });
      const here = chatCaller(chatUser, { workspace });
      const form = { payload: 'tulip', expireAfterViews: 3, expireAfterDays: 4 };
      const { code, problems } = await refusalOf(chat.pushes.create(here, form));
      expect(code).to.equal('invalid');
      expect(problems).to.deep.equal({
        recipients: [{ code: 'requiredByWorkspace' }],
        expireAfterViews: [{ code: 'workspaceMax', max: 2 }],
        expireAfterDays: [{ code: 'workspaceMax', max: 3 }],
      });
      await expectNothingOf(chatUser);
      const allowed = { payload: 'tulip', expireAfterViews: 2, expireAfterDays: 3 };
      const push = await chat.pushes.create(here, allowed, { recipients: [newChatUser()] });
      expect(push.viewsMax).to.equal(2);
      expect(daysOf(push)).to.equal(3);
    });

    it('is not refused for omitted numbers, which take the workspace’s defaults', async () => {
      const workspace = newWorkspace();
      await setRules({ chat }, 'slack', workspace, { ...plain, maxViews: 1, maxDays: 2 });
      for (const leftOut of ['', ' ', 'None', undefined])
        for (const name of [
          'expireAfterViews',
          'expireAfterDays',
          'expireAfterHours',
          'expireAfterMinutes',
        ]) {
          const push = await chat.pushes.create(chatCaller(newChatUser(), { workspace }), {
            payload: 'tulip',
            [name]: leftOut,
          });
          expect([push.viewsMax, daysOf(push)], `${name} “${leftOut}”`).to.deep.equal([1, 2]);
        }
    });

    it('is checked by the rules of the caller’s workspace only', async () => {
      const [chatUser, strict] = [newChatUser(), newWorkspace()];
      await setRules({ chat }, 'slack', strict, { ...plain, requireRecipients: true });
      await chat.pushes.create(chatCaller(chatUser, { workspace: newWorkspace() }), { payload: 'tulip' });
      const onDiscord = { platform: 'discord', address: chatUser.address } as const;
      await chat.pushes.create(chatCaller(onDiscord, { workspace: strict }), { payload: 'tulip' });
      expect(
        await refusal(chat.pushes.create(chatCaller(chatUser, { workspace: strict }), { payload: 'tulip' })),
      ).to.equal('invalid: recipients must not be empty in this workspace');
    });

    it('is bound to its recipients where the workspace demands it', async () => {
      const { pushes } = service.domain;
      for (const requireBound of [true, false]) {
        const [caller, bob] = [chatCaller(newChatUser(), { workspace: newWorkspace() }), newChatUser()];
        await setRules({ chat }, 'slack', caller.workspace, { ...plain, requireBound });
        const form = { payload: 'tulip', isBound: false };
        const { id } = await chat.pushes.create(caller, form, { recipients: [bob] });
        const [recipient] = (await pushes.recipientsOf([id])).get(id) ?? [];
        expect(recipient?.isBound).to.equal(requireBound);
      }
    });

    it('is refused with every field outside the limits of the service', async () => {
      const chatUser = newChatUser();
      const form = { payload: ' ', expireAfterViews: 0, expireAfterDays: 0, name: 'x'.repeat(256) };
      const { code, problems } = await refusalOf(chat.pushes.create(chatCaller(chatUser), form));
      expect(code).to.equal('invalid');
      expect(Object.keys(problems)).to.have.members([
        'payload',
        'expireAfterViews',
        'expireAfterDays',
        'name',
      ]);
      const beyond = { payload: 'tulip', expireAfterViews: 101, expireAfterDays: 91 };
      expect((await refusalOf(chat.pushes.create(chatCaller(chatUser), beyond))).problems).to.have.all.keys(
        'expireAfterViews',
        'expireAfterDays',
      );
      for (const odd of [Number.NaN, 1.5, -1, Number.POSITIVE_INFINITY])
        expect(
          (await refusalOf(chat.pushes.create(chatCaller(chatUser), { payload: 'x', expireAfterViews: odd })))
            .problems,
        ).to.have.key('expireAfterViews');
      await expectNothingOf(chatUser);
    });
  });

  describe('for recipients', () => {
    it('sends each of them one notice with the link and without the name', async () => {
      const [chatUser, ann, ben] = [newChatUser(), newChatUser(), newChatUser()];
      const form = {
        payload: 'the payload',
        passphrase: 'the passphrase',
        name: 'VPN of Ann',
        note: 'the note',
      };
      const push = await chat.pushes.create(chatCaller(chatUser), form, { recipients: [ann, ben, ann] });
      const all = await deliverNotices(domain, [chatUser, ann, ben]);
      expect(summarize(all)).to.deep.equal([`${ann.address} shared`, `${ben.address} shared`].sort());
      const [first] = all;
      const notice = first?.notice;
      expect(notice).to.deep.include({ times: 1, attempt: 1 });
      expect(notice).to.have.property('push').that.includes({
        id: push.id,
        urlToken: push.urlToken,
        viewsMax: 2,
        viewsUsed: 0,
        name: null,
        expiresAt: push.expiresAt,
      });
      for (const secret of Object.values(form)) expect(JSON.stringify(all)).to.not.contain(secret);
    });

    it('sends no notice when there are none', async () => {
      const chatUser = newChatUser();
      await deliverNotices(domain);
      await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' });
      expect(await deliverNotices(domain)).to.be.empty;
    });

    it('wakes the delivery at once', async () => {
      let woken = 0;
      domain.notices.onWritten(() => {
        woken += 1;
      });
      await chat.pushes.create(chatCaller(), { payload: 'tulip' }, { recipients: [newChatUser()] });
      expect(woken).to.equal(1);
    });
  });

  describe('in answer to a request', () => {
    it('is shared with the requester, and ends the request', async () => {
      const [ann, ben] = [newChatUser(), newChatUser()];
      const { id } = await askFor({ chat }, ann, ben, { reason: 'the VPN' });
      await deliverNotices(domain);
      const push = await chat.pushes.create(chatCaller(ben), { payload: 'tulip' }, { requestId: id });
      const [first] = await deliverNotices(domain, [ann]);
      const notice = first?.notice;
      expect(notice).to.include({ event: 'shared' }).and.have.nested.property('push.id', push.id);
      expect(await chat.requests.list(ann)).to.be.empty;
      expect(await chat.requests.maybeFind(Buffer.from(id, 'hex'))).to.include({ state: 'provided' });
      expect((await pushesOf(ben)).map((each) => each.id)).to.deep.equal([push.id]);
    });

    it('can be shared with more recipients', async () => {
      const [ann, ben, carl] = [newChatUser(), newChatUser(), newChatUser()];
      const { id } = await askFor({ chat }, ann, ben, {});
      await deliverNotices(domain);
      await chat.pushes.create(
        chatCaller(ben),
        { payload: 'tulip' },
        { requestId: id, recipients: [carl, ann] },
      );
      const shared = [ann, carl].map(({ address }) => `${address} shared`);
      expect(summarize(await deliverNotices(domain, [ann, ben, carl]))).to.deep.equal(shared.sort());
    });

    it('counts as having recipients where the workspace requires them', async () => {
      const [ann, ben, workspace] = [newChatUser(), newChatUser(), newWorkspace()];
      await setRules({ chat }, 'slack', workspace, { ...plain, requireRecipients: true });
      const { id } = await askFor({ chat }, ann, ben, {});
      await chat.pushes.create(chatCaller(ben, { workspace }), { payload: 'tulip' }, { requestId: id });
    });

    it('follows the rules of the workspace where it was asked, if it is given outside of any', async () => {
      const [ann, ben, workspace] = [newChatUser('E1'), newChatUser('E1'), newWorkspace()];
      await setRules({ chat }, 'slack', workspace, { ...plain, maxDays: 2 });
      const { id } = await askFor({ chat }, ann, ben, {}, workspace);
      const link = await chat.createProvideLink(await chat.identities.accountOf(ben), id);
      expect((await chat.previewCompose(link)).defaults).to.include({ maxDays: 2 });
      const answer = chat.pushes.create(
        chatCaller(ben, { workspace: outside }),
        { payload: 'tulip', expireAfterDays: 3 },
        { requestId: id },
      );
      expect(await refusal(answer)).to.match(/^invalid/);
    });

    it('is created once by twenty concurrent answers', async () => {
      const [ann, ben] = [newChatUser(), newChatUser()];
      const { id } = await askFor({ chat }, ann, ben, {});
      await deliverNotices(domain);
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, () =>
          chat.pushes.create(chatCaller(ben), { payload: 'tulip' }, { requestId: id }),
        ),
      );
      const refused = results.filter(({ status }) => status === 'rejected');
      expect(refused).to.have.length(19);
      for (const each of refused) expect(each).to.have.nested.property('reason.code', 'not_found');
      expect(await pushesOf(ben)).to.have.length(1);
      expect(summarize(await deliverNotices(domain, [ann, ben]))).to.deep.equal([`${ann.address} shared`]);
    });

    it('is refused to everybody but the provider, and after the end of the request', async () => {
      const [ann, ben, carl] = [newChatUser(), newChatUser(), newChatUser()];
      const { id } = await askFor({ chat }, ann, ben, {});
      for (const user of [ann, carl])
        expect(
          await refusal(chat.pushes.create(chatCaller(user), { payload: 'tulip' }, { requestId: id })),
        ).to.equal('not_found: This request has ended.');
      await chat.requests.cancel(id, ann);
      expect(
        await refusal(chat.pushes.create(chatCaller(ben), { payload: 'tulip' }, { requestId: id })),
      ).to.match(/^not_found/);
      for (const odd of ['', 'x', '0'.repeat(32), `${id} `])
        expect(
          await refusal(chat.pushes.create(chatCaller(ben), { payload: 'x' }, { requestId: odd })),
        ).to.match(/^not_found/);
      for (const user of [ann, ben, carl]) await expectNothingOf(user);
    });

    it('leaves the request open when it is refused', async () => {
      const [ann, ben] = [newChatUser(), newChatUser()];
      const { id } = await askFor({ chat }, ann, ben, {});
      expect(await refusal(chat.pushes.create(chatCaller(ben), { payload: '' }, { requestId: id }))).to.match(
        /^invalid/,
      );
      expect(await chat.requests.requireOpen(id, ben)).to.include({ state: 'open' });
    });
  });

  describe('by a call that is aborted', () => {
    it('is not created, and nobody is notified', async () => {
      const [chatUser, ann] = [newChatUser(), newChatUser()];
      const { id } = await askFor({ chat }, ann, chatUser, {});
      await deliverNotices(domain);
      const making = chat.pushes.create(
        chatCaller(chatUser),
        { payload: 'tulip' },
        { recipients: [ann], requestId: id, signal: AbortSignal.abort() },
      );
      expect(await refusal(making)).to.equal('unavailable: That took too long. Nothing was created.');
      await expectNothingOf(chatUser);
      expect(await deliverNotices(domain, [ann, chatUser])).to.be.empty;
      await chat.requests.requireOpen(id, chatUser);
    });

    it('is withdrawn if it was created just before the abort', async () => {
      const [chatUser, ann] = [newChatUser(), newChatUser()];
      const { id } = await askFor({ chat }, ann, chatUser, {});
      await deliverNotices(domain);
      const { signal, looked } = abortedAfter(1);
      const making = chat.pushes.create(
        chatCaller(chatUser),
        { payload: 'tulip' },
        { recipients: [ann], requestId: id, signal },
      );
      expect(await refusal(making)).to.equal('unavailable: That took too long. Nothing was created.');
      expect(looked()).to.equal(2);
      await expectNothingOf(chatUser);
      expect(await deliverNotices(domain, [ann, chatUser])).to.be.empty;
      await domain.sweeps.purge();
      await chat.requests.requireOpen(id, chatUser);
      await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' }, { requestId: id });
    });

    it('is kept if its creation was reported before the abort', async () => {
      const chatUser = newChatUser();
      const late = new AbortController();
      const push = await chat.pushes.create(
        chatCaller(chatUser),
        { payload: 'tulip' },
        { signal: late.signal },
      );
      late.abort();
      expect((await pushesOf(chatUser)).map(({ id }) => id)).to.deep.equal([push.id]);
    });
  });

  describe('with an idempotency key', () => {
    it('is created once by twenty concurrent deliveries to two processes, and not again later', async () => {
      const other = connectDatabase(service.databaseUrl, { poolSize: 5 });
      const processes = [
        domain,
        createDomain({
          database: other,
          keyring: service.keyring,
          settings: domainSettings(readConfig({ RATE_LIMITS: 'off' })),
        }),
      ];
      try {
        const chatUser = newChatUser();
        const again = chatCaller(chatUser, { idempotencyKey: 'trigger 1' });
        const create = (index: number) =>
          processes[index % 2]?.chat.pushes.create(again, { payload: 'tulip' });
        const results = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => create(index)));
        const refused = results.filter(({ status }) => status === 'rejected');
        expect(refused).to.have.length(19);
        for (const each of refused) expect(each).to.have.nested.property('reason.code', 'conflict');
        expect(await refusal(Promise.resolve(create(0)))).to.equal('conflict: This was done already.');
        expect(await refusal(Promise.resolve(create(1)))).to.match(/^conflict/);
        expect(await pushesOf(chatUser)).to.have.length(1);
      } finally {
        await other.close();
      }
    });

    it('is separate from pushes with another key, or with the same key on another platform', async () => {
      const [chatUser, other] = [newChatUser(), { platform: 'discord', address: '1' } as const];
      await chat.pushes.create(chatCaller(chatUser, { idempotencyKey: 'a' }), { payload: 'tulip' });
      await chat.pushes.create(chatCaller(chatUser, { idempotencyKey: 'b' }), { payload: 'tulip' });
      await chat.pushes.create(
        { chatUser: other, workspace: 'G1', idempotencyKey: 'a' },
        { payload: 'tulip' },
      );
      expect(await pushesOf(chatUser)).to.have.length(2);
      expect(await pushesOf(other)).to.have.length(1);
    });

    it('is remembered for two days of the database’s clock', async () => {
      const here = chatCaller(newChatUser(), { idempotencyKey: 'two days' });
      await chat.pushes.create(here, { payload: 'tulip' });
      const age = (ms: number) =>
        service.database.execute('UPDATE processed_events SET expires_at = expires_at - $ms', { ms });
      await age(2 * dayMs - 60_000);
      await chat.purge();
      expect(await refusal(chat.pushes.create(here, { payload: 'tulip' }))).to.match(/^conflict/);
      await age(61_000);
      await chat.purge();
      await chat.pushes.create(here, { payload: 'tulip' });
    });
  });

  describe('under rate limits', () => {
    it('is refused to a chat user who creates too many, and to nobody else', async () => {
      const limited = await startService({ RATE_LIMITS: 'on' });
      try {
        const [chatUser, other] = [newChatUser(), newChatUser()];
        const create = (user: ChatUser) =>
          limited.domain.chat.pushes.create(chatCaller(user), { payload: 'tulip' });
        const results = await Promise.allSettled(Array.from({ length: 25 }, () => create(chatUser)));
        const refused = results.filter(({ status }) => status === 'rejected');
        expect(refused).to.have.length(5);
        for (const each of refused) expect(each).to.have.nested.property('reason.code', 'too_many');
        expect((await refusalOf(create(chatUser))).retryAfterSeconds).to.be.within(1, 60);
        await times(20, () => create(other));
        const rows = await countRows(limited, 'pushes');
        expect(rows).to.equal(40);
      } finally {
        await limited.stop();
      }
    });

    it('follows the operator’s limits', async () => {
      const limited = await startService({ RATE_LIMITS: 'on', LIMIT_COMMANDS: '2/10m' });
      try {
        const here = chatCaller();
        await limited.domain.chat.admit(here);
        await limited.domain.chat.admit(here);
        expect((await refusalOf(limited.domain.chat.admit(here))).retryAfterSeconds).to.be.within(540, 600);
      } finally {
        await limited.stop();
      }
    });
  });

  it('leaves no secret in clear in the database', async () => {
    const form = {
      payload: 'payload-4711',
      passphrase: 'passphrase-4711',
      name: 'name-4711',
      note: 'note-4711',
    };
    const push = await chat.pushes.create(chatCaller(), form, { recipients: [newChatUser()] });
    const dump = await dumpDatabase(service);
    for (const secret of [...Object.values(form), push.urlToken]) {
      expect(dump).to.not.contain(secret);
      expect(dump).to.not.contain(Buffer.from(secret).toString('hex'));
    }
  });

  it('is not created for an account that is being erased', async () => {
    const chatUser = newChatUser();
    const { id } = await chat.identities.accountOf(chatUser);
    const result = await duringErasure(service, id, () =>
      chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' }),
    );
    expect(result).to.have.nested.property('reason.code', 'unavailable');
    expect(await countRows(service, 'pushes', 'account_id = $id', { id })).to.equal(0);
    await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' });
  });

  it('belongs to the account of its creator even if that links another concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const chatUser = newChatUser();
      await chat.identities.accountOf(chatUser);
      const { account } = await createAccount(domain, `joined${round}@example.com`);
      const results = await Promise.allSettled([
        ...Array.from({ length: 10 }, () => chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' })),
        chat.identities.link(chatUser, account),
      ]);
      const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      for (const { code } of refused) expect(code).to.equal('unavailable');
      expect(await pushesOf(chatUser)).to.have.length(10 - refused.length);
    }
    expect(await countRows(service, 'pushes', 'account_id NOT IN (SELECT id FROM accounts)')).to.equal(0);
  });
});

/** A signal that aborts after so many reads. */
function abortedAfter(looks: number): { signal: AbortSignal; looked: () => number } {
  const controller = new AbortController();
  let count = 0;
  const signal = new Proxy(controller.signal, {
    get(target, name) {
      if (name !== 'aborted') return Reflect.get(target, name);
      count += 1;
      return count > looks;
    },
  });
  return { signal, looked: () => count };
}
