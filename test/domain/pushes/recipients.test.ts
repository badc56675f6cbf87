import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { openLabel } from '../../../src/crypto/cipher.ts';
import { urlTokenDigest } from '../../../src/crypto/pepper.ts';
import type { Tx } from '../../../src/database/database.ts';
import {
  type Account,
  accountNameOf,
  type ChatUser,
  type Push,
  type PushRecipient,
  type Revealed,
} from '../../../src/domain/index.ts';
import { times } from '../../harness/api.ts';
import { deliverNotices, newChatUser, summarize } from '../../harness/chat.ts';
import { refusalOf } from '../../harness/refusal.ts';
import {
  anonymous,
  createAccount,
  refusal,
  someClient,
  startService,
  type TestService,
} from '../../harness/service.ts';
import { recordStatements } from '../../harness/statements.ts';

const payload = 'tulip';

describe('A push with recipients', () => {
  let service: TestService;
  let account: Account;
  let pushes: TestService['domain']['pushes'];

  before(async () => {
    service = await startService();
    ({ pushes } = service.domain);
    ({ account } = await createAccount(service.domain));
  });

  after(() => service.stop());

  const owner = () => ({ account, client: someClient });
  const newPush = (recipients: string[], input: object = {}): Promise<Push> =>
    pushes.create({ payload, recipients, ...input }, owner());
  const reveal = (urlToken: string, passphrase?: string) => pushes.reveal(urlToken, passphrase, anonymous);

  function tokenOf({ urlToken, name }: PushRecipient): string {
    if (urlToken === null) throw new Error(`${name} has no link`);
    return urlToken;
  }

  const given = (results: Revealed[]) => results.filter((result) => result.payload !== null);

  async function stored({ id }: Push) {
    const [row] = await service.database.select<{
      viewsMax: number;
      viewsUsed: number;
      viewsReserved: number;
      isErased: number;
      isEnded: number;
    }>(
      `SELECT views_max AS viewsMax, views_used AS viewsUsed, views_reserved AS viewsReserved,
         payload IS NULL AS isErased, expired_on IS NOT NULL AS isEnded FROM pushes WHERE id = $id`,
      { id: Buffer.from(id, 'hex') },
    );
    if (row === undefined) throw new Error('the push is not stored');
    return { ...row, isErased: Boolean(row.isErased), isEnded: Boolean(row.isEnded) };
  }

  const recipientsOf = async ({ id }: Push) => (await pushes.recipientsOf([id])).get(id) ?? [];
  const usedBy = async (push: Push) => (await recipientsOf(push)).map(({ viewsUsed }) => viewsUsed);

  it('gives each of them a link of their own, which opens the one payload', async () => {
    const push = await newPush(['Bob', 'Carol']);
    const tokens = push.recipients.map(tokenOf);
    expect(new Set([push.urlToken, ...tokens]).size).to.equal(3);
    expect(await stored(push)).to.include({ viewsMax: 2, viewsReserved: 2, viewsUsed: 0 });
    for (const token of tokens) {
      const { push: seen, payload: opened } = await reveal(token);
      expect(opened).to.equal(payload);
      expect(seen).to.include({
        urlToken: token,
        viewsMax: 1,
        viewsUsed: 1,
        name: null,
        deletableByViewer: false,
      });
      expect(seen.recipients).to.eql([]);
    }
    expect(await stored(push)).to.eql({
      viewsMax: 2,
      viewsReserved: 0,
      viewsUsed: 2,
      isErased: true,
      isEnded: true,
    });
  });

  for (const [people, each] of [
    [2, 1],
    [3, 2],
    [5, 4],
  ] as const) {
    it(`gives ${people} recipients exactly ${each} views each, however many come at once`, async () => {
      const push = await newPush(
        Array.from({ length: people }, (_, at) => `person ${at}`),
        { viewsPerRecipient: each },
      );
      const links = push.recipients.map(tokenOf);
      const results = await times(people * each * 6, (at) => reveal(links[at % people] ?? ''));
      for (const link of links) {
        const ofOne = given(results).filter((result) => result.push.urlToken === link);
        expect(ofOne.map(({ push: seen }) => seen.viewsUsed).sort()).to.eql(
          Array.from({ length: each }, (_, at) => at + 1),
        );
      }
      expect(await usedBy(push)).to.eql(Array(people).fill(each));
      expect(await stored(push)).to.eql({
        viewsMax: people * each,
        viewsUsed: people * each,
        viewsReserved: 0,
        isErased: true,
        isEnded: true,
      });
      const log = await pushes.auditLog(push.urlToken, 1, owner());
      expect(log.filter(({ kind }) => kind === 'view')).to.have.length(people * each);
    });
  }

  it('keeps the views of one recipient for them when another comes a hundred times', async () => {
    const push = await newPush(['Bob', 'Carol']);
    const [bob = '', carol = ''] = push.recipients.map(tokenOf);
    const results = await times(40, () => reveal(bob));
    expect(given(results)).to.have.length(1);
    const late = results.find((result) => result.payload === null);
    expect(late?.push.expiredOn).to.be.a('number');
    expect(await stored(push)).to.include({
      viewsUsed: 1,
      viewsReserved: 1,
      isErased: false,
      isEnded: false,
    });
    expect((await reveal(carol)).payload).to.equal(payload);
  });

  it('opens nothing through its own link while every view belongs to a recipient', async () => {
    const push = await newPush(['Bob']);
    const refused = await refusalOf(reveal(push.urlToken));
    expect([refused.code, refused.messageCode]).to.eql(['forbidden', 'reservedForRecipients']);
    expect(await stored(push)).to.include({ viewsUsed: 0, viewsReserved: 1 });
    expect(
      given(
        await times(20, (at) =>
          reveal(at === 10 ? tokenOf(push.recipients[0] as PushRecipient) : push.urlToken).catch(() => ({
            push,
            payload: null,
          })),
        ),
      ),
    ).to.have.length(1);
    expect((await reveal(push.urlToken)).push.expiredOn).to.be.a('number');
  });

  it('is neither ended nor read as its owner through the link of a recipient', async () => {
    const push = await newPush(['Bob', 'Carol'], { name: 'VPN', note: 'mine', deletableByViewer: true });
    const [bob = ''] = push.recipients.map(tokenOf);
    for (const caller of [anonymous, owner()]) {
      const seen = await pushes.preview(bob, caller);
      expect(seen).to.include({ name: null, note: null, isUnreadable: false, viewsMax: 1 });
      expect((await refusalOf(pushes.expire(bob, caller))).messageCode).to.equal('notDeletableByViewers');
    }
    expect((await refusalOf(pushes.auditLog(bob, 1, owner()))).messageCode).to.equal('notOwner');
    expect((await pushes.expire(push.urlToken, owner())).recipients).to.have.length(2);
    expect((await reveal(bob)).payload).to.equal(null);
  });

  it('may be deleted by its only recipient, where its owner lets viewers do that', async () => {
    for (const deletableByViewer of [true, false]) {
      const push = await newPush(['Bob'], { deletableByViewer });
      const [bob = ''] = push.recipients.map(tokenOf);
      const outcome = await pushes.expire(bob, anonymous).then(
        ({ deleted }) => (deleted ? 'deleted' : 'kept'),
        ({ messageCode }) => messageCode,
      );
      expect(outcome).to.equal(deletableByViewer ? 'deleted' : 'notDeletableByViewers');
      expect(await stored(push)).to.include({ isErased: deletableByViewer, viewsUsed: 0 });
    }
  });

  it('names those who opened it with certain views, and nobody where a stranger did, too', async () => {
    const push = await newPush(['Bob', 'Carol', 'Dave']);
    for (const token of push.recipients.map(tokenOf)) await reveal(token);
    const stranger = 'UPDATE audit_rows SET recipient_id = NULL WHERE push_id = $id AND view_number = 3';
    await service.database.execute(stranger, { id: Buffer.from(push.id, 'hex') });
    const named = async (last: number, count: number) =>
      (await pushes.openersOf(push.id, { last, count })).map(({ name }) => name);
    expect(await named(2, 2)).to.eql(['Bob', 'Carol']);
    expect(await named(2, 1)).to.eql(['Carol']);
    expect(await named(3, 1)).to.eql([]);
    expect(await named(3, 2)).to.eql([]);
  });

  it('notifies its owner of who opened it, and of its deletion by its recipient', async () => {
    const sender = newChatUser();
    const { chat } = service.domain;
    const mine = { account: await chat.identities.accountOf(sender), client: someClient };
    await deliverNotices(service.domain);
    const push = await pushes.create({ payload, recipients: ['Bob', 'Carol', 'Dave'] }, mine);
    for (const { name, urlToken } of push.recipients) if (name !== 'Dave') await reveal(String(urlToken));
    const [first] = await deliverNotices(service.domain, [sender]);
    expect(first?.notice).to.include({ event: 'viewed', times: 2 });
    const openers = first && 'openers' in first.notice ? first.notice.openers : [];
    expect(openers.map(({ name }) => name)).to.eql(['Bob', 'Carol']);

    const single = await pushes.create({ payload, recipients: ['Bob'] }, mine);
    await pushes.expire(String(single.recipients[0]?.urlToken), anonymous);
    const events = summarize(await deliverNotices(service.domain, [sender]));
    expect(events).to.include(`${sender.address} deleted`);
  });

  it('tells its owner who has opened it, and when, in lists and in the log', async () => {
    const push = await newPush(['Bob', 'Carol']);
    const [, carol = ''] = push.recipients.map(tokenOf);
    await reveal(carol);
    const listed = (await pushes.list({ account }, 'active', 1)).find(({ id }) => id === push.id);
    expect(listed?.recipients.map(({ name, viewsUsed }) => [name, viewsUsed])).to.have.deep.members([
      ['Bob', 0],
      ['Carol', 1],
    ]);
    const log = await pushes.auditLog(push.urlToken, 1, owner());
    const views = log.filter(({ kind }) => kind === 'view');
    expect(views.map(({ recipient }) => recipient?.name)).to.eql(['Carol']);
    const opened = listed?.recipients.find(({ name }) => name === 'Carol');
    expect(Number(opened?.openedAt)).to.be.at.least(push.createdAt);
  });

  it('says when a recipient first opened it, however often they open it again', async () => {
    const push = await newPush(['Bob'], { viewsPerRecipient: 2 });
    const [bob = ''] = push.recipients.map(tokenOf);
    await reveal(bob);
    await service.database.execute('UPDATE push_recipients SET opened_at = 5 WHERE push_id = $id', {
      id: Buffer.from(push.id, 'hex'),
    });
    await reveal(bob);
    const [seen] = (await pushes.recipientsOf([push.id])).get(push.id) ?? [];
    expect(seen).to.include({ viewsUsed: 2, openedAt: 5 });
  });

  it('says that its own link opens nothing, and asks nobody there for its passphrase', async () => {
    const push = await newPush(['Bob'], { passphrase: 'open sesame' });
    expect((await refusalOf(reveal(push.urlToken))).messageCode).to.equal('reservedForRecipients');
    const log = await pushes.auditLog(push.urlToken, 1, owner());
    expect(log.map(({ kind }) => kind)).to.not.include('failed_passphrase');
  });

  it('asks each of them for its passphrase', async () => {
    const push = await newPush(['Bob'], { passphrase: 'open sesame' });
    const [bob = ''] = push.recipients.map(tokenOf);
    for (const wrong of [undefined, 'guess'])
      expect((await refusalOf(reveal(bob, wrong))).messageCode).to.equal('wrongPassphrase');
    expect((await reveal(bob, 'open sesame')).payload).to.equal(payload);
  });

  it('counts a repeated click on the page of a recipient once', async () => {
    const push = await newPush(['Bob'], { viewsPerRecipient: 3 });
    const [bob = ''] = push.recipients.map(tokenOf);
    const nonce = { digest: urlTokenDigest(service.keyring, 'nonce of Bob'), secret: 'holder' };
    const results = await times(5, () => pushes.reveal(bob, undefined, anonymous, { nonce }));
    expect(results.map((result) => [result.payload, result.push.viewsUsed])).to.eql(
      Array(5).fill([payload, 1]),
    );
    expect(await usedBy(push)).to.eql([1]);
  });

  it('loses no view of a recipient to a damaged record, and is listed as damaged', async () => {
    const push = await newPush(['Bob']);
    const [bob = ''] = push.recipients.map(tokenOf);
    const id = Buffer.from(push.id, 'hex');
    await service.database.execute('UPDATE pushes SET payload = $record WHERE id = $id', {
      record: Buffer.alloc(80),
      id,
    });
    expect((await refusalOf(reveal(bob))).messageCode).to.equal('recordDamaged');
    expect(await usedBy(push)).to.eql([0]);
    expect((await pushes.listDamaged()).map((damaged) => damaged.id)).to.include(push.id);
  });

  it('stores neither a name nor a link of a recipient in the clear', async () => {
    const push = await newPush(['Bob of Utrecht']);
    const [bob] = push.recipients;
    const [row] = await service.database.select<Record<string, unknown>>(
      'SELECT * FROM push_recipients WHERE id = $id',
      { id: Buffer.from(bob?.id ?? '', 'hex') },
    );
    const text = Object.values(row ?? {})
      .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
      .join('\n');
    expect(text).not.to.include('Utrecht');
    expect(text).not.to.include(bob?.urlToken);
    const label = row?.label as Buffer;
    expect(openLabel(service.keyring, label, { id: row?.id as Buffer, field: 'recipient' })).to.equal(
      'Bob of Utrecht',
    );
  });

  it('has them read once when it is created, and one without recipients has nobody read', async () => {
    const statements = recordStatements(service.database);
    for (const [recipients, reads] of [
      [['Bob', 'Carol'], 1],
      [[], 0],
    ] as const) {
      for (const key of [undefined, randomUUID()]) {
        const creation = await pushes.begin(owner(), { idempotencyKey: key });
        statements.length = 0;
        const push = await creation.create({ payload, recipients });
        expect(push.recipients).to.have.length(recipients.length);
        const found = statements.filter((sql) => sql.startsWith('SELECT push_recipients.'));
        expect(found, `${recipients} ${key}`).to.have.length(reads);
      }
    }
  });

  describe('bound to people in a chat', () => {
    async function newBound(people: ChatUser[], viewsPerRecipient = 1): Promise<Push> {
      const input = { payload, expireAfterViews: people.length * viewsPerRecipient, deletableByViewer: true };
      const inTransaction = (tx: Tx, id: Buffer) =>
        pushes.invite(id, people, { viewsPerRecipient, isBound: true }, tx);
      return pushes.create(input, owner(), { inTransaction });
    }

    it('opens for each of them once, through the link that they ask for', async () => {
      const [bob, carol] = [newChatUser(), newChatUser()];
      const push = await newBound([bob, carol]);
      expect((await recipientsOf(push)).map(({ urlToken, isBound }) => [urlToken, isBound])).to.eql([
        [null, true],
        [null, true],
      ]);
      const link = await pushes.openBound(push.id, bob);
      expect(given(await times(10, () => reveal(link)))).to.have.length(1);
      expect((await refusalOf(pushes.openBound(push.id, bob))).messageCode).to.equal('openedAlready');
      expect(await stored(push)).to.include({ viewsUsed: 1, viewsReserved: 1, isErased: false });
      expect((await reveal(await pushes.openBound(push.id, carol))).payload).to.equal(payload);
      expect(await stored(push)).to.include({ viewsUsed: 2, isErased: true });
      expect((await refusalOf(pushes.openBound(push.id, carol))).messageCode).to.equal('openedAlready');
    });

    it('gives no link to anybody else', async () => {
      const push = await newBound([newChatUser()]);
      const [own] = [newChatUser()];
      expect((await refusalOf(pushes.openBound(push.id, own))).messageCode).to.equal('notRecipient');
      const other = await newBound([own]);
      expect((await refusalOf(pushes.openBound(push.id, own))).messageCode).to.equal('notRecipient');
      expect(await pushes.openBound(other.id, own)).to.be.a('string');
      for (const odd of ['', 'x', '0'.repeat(32), push.urlToken])
        expect((await refusalOf(pushes.openBound(odd, own))).messageCode).to.equal('pushNotFound');
      await pushes.expire(other.urlToken, owner());
      expect((await refusalOf(pushes.openBound(other.id, own))).messageCode).to.equal('pushNotFound');
    });

    it('opens for one view with each link, and only with the newest', async () => {
      const bob = newChatUser();
      const push = await newBound([bob], 3);
      const first = await pushes.openBound(push.id, bob);
      const second = await pushes.openBound(push.id, bob);
      expect((await refusalOf(reveal(first))).code).to.equal('not_found');
      expect(given(await times(10, () => reveal(second)))).to.have.length(1);
      expect((await pushes.preview(second, anonymous)).expiredOn).to.be.a('number');
      expect((await reveal(await pushes.openBound(push.id, bob))).payload).to.equal(payload);
      expect(await usedBy(push)).to.eql([2]);
    });

    it('refuses a link two minutes after it was asked for', async () => {
      const bob = newChatUser();
      const push = await newBound([bob]);
      const link = await pushes.openBound(push.id, bob);
      const now = service.database.dialect.now;
      const left = await service.database.execute(
        `UPDATE push_recipients SET token_expires_at = token_expires_at - ${2 * 60_000}
         WHERE push_id = $id AND token_expires_at > ${now} AND token_expires_at <= ${now} + ${2 * 60_000}`,
        { id: Buffer.from(push.id, 'hex') },
      );
      expect(left).to.equal(1);
      const { payload: nothing, push: seen } = await reveal(link);
      expect(nothing).to.equal(null);
      expect(seen.expiredOn).to.be.a('number');
      expect(await usedBy(push)).to.eql([0]);
      const ending = await refusalOf(pushes.expire(link, anonymous));
      expect(ending.messageCode).to.equal('notDeletableByViewers');
      expect((await reveal(await pushes.openBound(push.id, bob))).payload).to.equal(payload);
    });

    it('gives the views of somebody who deletes their account back to its owner', async () => {
      const [bob, carol] = [newChatUser(), newChatUser()];
      const push = await newBound([bob, carol], 2);
      expect((await reveal(await pushes.openBound(push.id, bob))).payload).to.equal(payload);
      const { chat, accounts } = service.domain;
      await chat.identities.accountOf(bob);
      await accounts.erase(accountNameOf(bob), 'operator');
      expect(await stored(push)).to.include({ viewsMax: 4, viewsUsed: 1, viewsReserved: 2 });
      expect((await recipientsOf(push)).map(({ address }) => address)).to.eql([carol.address]);
      expect((await reveal(push.urlToken)).payload).to.equal(payload);
      expect((await reveal(await pushes.openBound(push.id, carol))).payload).to.equal(payload);
    });

    it('invites nobody twice, and nobody for whom no view is left', async () => {
      const [bob, carol, dave] = [newChatUser(), newChatUser(), newChatUser()];
      const push = await newBound([bob, bob, carol]);
      expect(await stored(push)).to.include({ viewsMax: 3, viewsReserved: 2 });
      const invite = (people: ChatUser[]) =>
        service.database.transaction((tx) =>
          pushes.invite(Buffer.from(push.id, 'hex'), people, { viewsPerRecipient: 1, isBound: true }, tx),
        );
      const outcomes = await times(8, (at) =>
        invite([bob, at % 2 === 0 ? dave : newChatUser()]).then(
          () => 'invited',
          ({ problems }) => problems.recipients[0].code,
        ),
      );
      expect(outcomes.filter((outcome) => outcome !== 'invited')).to.eql(
        Array(outcomes.filter((outcome) => outcome !== 'invited').length).fill('moreThanViews'),
      );
      expect(await recipientsOf(push)).to.have.length(3);
      expect(await stored(push)).to.include({ viewsReserved: 3, viewsUsed: 0 });
    });
  });

  describe('shared in a channel', () => {
    const slackChannel = { platform: 'slack', address: 'T1:C1' } as const;

    async function newShared(viewsMax: number): Promise<Push> {
      const push = await pushes.create({ payload, expireAfterViews: viewsMax }, owner());
      await pushes.shareInChannel(owner(), push.id, slackChannel);
      return push;
    }
    const open = (push: Push, member: ChatUser, channel: string | undefined = slackChannel.address) =>
      pushes.openBound(push.id, member, channel);

    it('opens once for each member, as long as it has views', async () => {
      const push = await newShared(2);
      const [bob, carol, dave] = [newChatUser(), newChatUser(), newChatUser()];
      await deliverNotices(service.domain);
      for (const member of [bob, carol]) {
        const [replaced, link] = [await open(push, member), await open(push, member)];
        expect((await refusalOf(reveal(replaced))).code).to.equal('not_found');
        expect((await refusalOf(open(push, dave, 'T1:C2'))).messageCode).to.equal('notRecipient');
        expect((await reveal(link)).payload).to.equal(payload);
        if (member === bob) expect((await refusalOf(open(push, bob))).messageCode).to.equal('openedAlready');
      }
      expect((await refusalOf(open(push, dave))).messageCode).to.equal('pushNotFound');
      expect((await refusalOf(open(push, bob))).messageCode).to.equal('openedAlready');
      expect(await usedBy(push)).to.eql([1, 1]);
      expect(await stored(push)).to.include({ viewsUsed: 2, viewsReserved: 0, isErased: true });
      const events = summarize(await deliverNotices(service.domain, [bob, carol]));
      expect(events.filter((event) => event.endsWith('shared'))).to.eql([]);
    });

    it('is promised to no more members than it has views, however many press at once', async () => {
      const push = await newShared(5);
      const members = Array.from({ length: 9 }, () => newChatUser());
      const outcomes = await times(members.length * 2, (at) =>
        open(push, members[at % members.length] as ChatUser).then(
          () => 'link',
          ({ messageCode }) => messageCode,
        ),
      );
      expect(new Set(outcomes)).to.eql(new Set(['link', 'noViewLeft']));
      expect(await recipientsOf(push)).to.have.length(5);
      expect(await stored(push)).to.include({ viewsUsed: 0, viewsReserved: 5 });
      expect((await refusalOf(reveal(push.urlToken))).messageCode).to.equal('reservedForRecipients');
    });

    it('opens for nobody who asks elsewhere', async () => {
      const push = await newShared(2);
      const bob = newChatUser();
      for (const channel of ['T1:C2', 'T2:C1', '', undefined])
        expect((await refusalOf(pushes.openBound(push.id, bob, channel))).messageCode).to.equal(
          'notRecipient',
        );
      const onDiscord = { platform: 'discord', address: bob.address } as const;
      expect((await refusalOf(open(push, onDiscord))).messageCode).to.equal('notRecipient');
      const other = await pushes.create({ payload }, owner());
      expect((await refusalOf(open(other, bob))).messageCode).to.equal('notRecipient');
      expect(await stored(push)).to.include({ viewsReserved: 0 });
    });

    it('gives whoever has a lasting link no other one', async () => {
      const push = await newShared(2);
      const bob = newChatUser();
      await service.database.transaction((tx) =>
        pushes.invite(Buffer.from(push.id, 'hex'), [bob], { viewsPerRecipient: 1 }, tx),
      );
      expect((await refusalOf(open(push, bob))).messageCode).to.equal('hasLinkAlready');
      const [{ urlToken = '' } = {}] = await recipientsOf(push);
      expect((await reveal(String(urlToken))).payload).to.equal(payload);
    });

    it('is shared by its owner alone, while it lives and has a view for others', async () => {
      const [full, ended] = [await newPush(['Bob']), await pushes.create({ payload }, owner())];
      await pushes.expire(ended.urlToken, owner());
      const stranger = { ...owner(), account: (await createAccount(service.domain)).account };
      const share = async (push: Push, caller = owner()) =>
        (await refusalOf(pushes.shareInChannel(caller, push.id, slackChannel))).messageCode;
      expect(await share(full)).to.equal('reservedForRecipients');
      expect(await share(ended)).to.equal('pushNotFound');
      expect(await share(await newShared(2), stranger)).to.equal('pushNotFound');
    });
  });

  it('needs an account, and no more views than a push may have', async () => {
    const create = (input: object, caller: Parameters<typeof pushes.create>[1] = owner()) =>
      refusal(pushes.create({ payload, ...input }, caller));
    expect(await create({ recipients: ['Bob'] }, anonymous)).to.equal(
      'unauthenticated: A push with recipients needs an account.',
    );
    const many = Array.from({ length: 50 }, (_, at) => `person ${at}`);
    expect((await newPush(many)).recipients).to.have.length(50);
    for (const [input, field] of [
      [{ recipients: [...many, 'one more'] }, 'recipients'],
      [{ recipients: [' '] }, 'recipients.0'],
      [{ recipients: [7] }, 'recipients.0'],
      [{ recipients: many, viewsPerRecipient: 3 }, 'recipients'],
      [{ recipients: ['Bob'], expireAfterViews: 5 }, 'expireAfterViews'],
    ] as const)
      expect(
        (await refusalOf(pushes.create({ payload, ...input }, owner()))).problems,
        field,
      ).to.have.property(field);
    expect((await newPush(['Bob', 'Carol'], { expireAfterViews: 2 })).viewsMax).to.equal(2);
  });
});
