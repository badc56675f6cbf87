import { expect } from 'chai';
import { type Button, type Card, type Line, toPlainText } from '../../src/bots/card.ts';
import { cards as english } from '../../src/bots/cards/cards.ts';
import { type Commands, createCommands } from '../../src/bots/commands.ts';
import { toErrorCard } from '../../src/bots/errorCard.ts';
import { connectDatabase } from '../../src/database/database.ts';
import {
  type ChatCaller,
  type Domain,
  DomainError,
  type ErrorCode,
  type Push,
} from '../../src/domain/index.ts';
import { expirePushIn, times } from '../harness/api.ts';
import { chatCaller, countRows, deliverNotices, newChatUser, summarize } from '../harness/chat.ts';
import {
  anonymous,
  refusal,
  refusalOf,
  someClient,
  startService,
  type TestService,
} from '../harness/service.ts';

const linkTo = (urlToken: string) => `http://push.test/p/${urlToken}`;
const secrets = { payload: 'payload-4711', passphrase: 'passphrase-4711', note: 'note-4711' };

let service: TestService;
let domain: Domain;
let commands: Commands;
let me: ChatCaller;
/** Every card that a command has given. */
let cards: unknown[] = [];

/** Commands that collect their cards. */
function recording(all: Commands): Commands {
  const record = (command: unknown) => {
    if (typeof command !== 'function') return command;
    return (...args: unknown[]) => {
      const result: unknown = command(...args);
      if (result instanceof Promise) result.then((card: unknown) => cards.push(card)).catch(() => {});
      return result;
    };
  };
  return new Proxy(all, { get: (target, name) => record(Reflect.get(target, name)) });
}

const textOf = (line: Line): string =>
  line
    .map((part) => {
      if (typeof part === 'object' && 'person' in part) return `@${part.person}`;
      if (typeof part === 'object' && 'time' in part) return 'THEN';
      return toPlainText([part]);
    })
    .join('');

/** The lines of a card as text; times are THEN, people @ADDRESS. */
const linesOf = ({ lines, items = [], footnotes = [] }: Card): string[] =>
  [...lines, ...items.map(({ line }) => line), ...footnotes].map(textOf);

const buttonsOf = ({ buttons = [], items = [] }: Card): Button[] => [
  ...buttons,
  ...items.flatMap((item) => item.buttons),
];

const labelsOf = (card: Card) => buttonsOf(card).map(({ label }) => label);

/** The id of the push or request of a button. */
function aboutOf(card: Card, label: string): string {
  const button = buttonsOf(card).find((each) => each.label === label);
  return button !== undefined && 'value' in button ? button.value : expect.fail(`no button ${label}`);
}

describe('chat commands', () => {
  before(async () => {
    service = await startService();
    ({ domain } = service);
    commands = recording(
      createCommands({ domain, linkTo, pageOf: (purpose, token) => `http://push.test/${purpose}/${token}` }),
    );
  });

  after(() => service.stop());

  beforeEach(async () => {
    me = chatCaller();
    cards = [];
    await deliverNotices(domain);
  });

  afterEach(() => {
    for (const secret of Object.values(secrets)) expect(JSON.stringify(cards)).to.not.contain(secret);
  });

  const mine = async (who: ChatCaller = me) =>
    domain.pushes.list(await domain.chat.identities.accountOf(who.chatUser), 'active', 1);
  const newPush = (form: object = {}, who: ChatCaller = me): Promise<Push> =>
    domain.chat.pushes.create(who, { ...secrets, ...form });
  const view = ({ urlToken }: Push, passphrase = secrets.passphrase) =>
    domain.pushes.reveal(urlToken, passphrase, anonymous);

  describe('creating a push', () => {
    it('show the link, its limits and its buttons', async () => {
      const card = await commands.create(me, { ...secrets, name: 'VPN', expireAfterViews: 1 }, {});
      const [push] = await mine();
      const link = linkTo(push?.urlToken ?? '');
      expect(linesOf(card)).to.deep.equal([
        `VPN is ready: ${link}`,
        'Opens once, until THEN.',
        'Tell them the passphrase by another way.',
      ]);
      expect(card.lines[0]?.at(-1)).to.deep.equal({ link, label: link });
      expect(card.lines[1]?.[1]).to.deep.equal({ time: push?.expiresAt, as: 'moment' });
      expect(card.summary).to.equal('Your push is ready.');
      expect(labelsOf(card)).to.deep.equal(['Burn now', 'Audit', 'Send to…']);
      for (const label of labelsOf(card)) expect(aboutOf(card, label)).to.equal(push?.id);
      expect(await view(push as Push)).to.include({ payload: secrets.payload });
    });

    it('share it with the chosen people, and name them', async () => {
      const people = [newChatUser(), newChatUser(), newChatUser()];
      const recipients = people.map(({ address }) => address);
      const card = await commands.create(me, { payload: 'tulip' }, { recipients });
      expect(linesOf(card)).to.contain(`Sent to @${recipients[0]}, @${recipients[1]} and @${recipients[2]}.`);
      expect(linesOf(card)[0]).to.match(/^Your push is ready: http/);
      expect(linesOf(card)).to.not.contain('Tell them the passphrase by another way.');
      expect(summarize(await deliverNotices(domain, people))).to.deep.equal(
        recipients.map((address) => `${address} shared`).sort(),
      );
      const two = await commands.create(me, { payload: 'tulip' }, { recipients: recipients.slice(1) });
      expect(linesOf(two)).to.contain(`Sent to @${recipients[1]} and @${recipients[2]}.`);
    });

    it('take the text after a command byte for byte, and hint at the form', async () => {
      const text = ` ${secrets.payload}  *_~\`<@U1> \\n 🌷 `;
      const card = await commands.createFromText(me, text);
      const [push] = await mine();
      expect((await domain.pushes.reveal(push?.urlToken ?? '', undefined, anonymous)).payload).to.equal(text);
      expect(linesOf(card).at(-1)).to.equal(
        'Text typed after a command passes through the chat’s servers. Next time use the form: /push alone.',
      );
    });

    it('take no text after a command where the workspace forbids it or requires recipients', async () => {
      for (const [at, rules] of [
        { requireRecipients: false, allowSlashText: false },
        { requireRecipients: true, allowSlashText: true },
      ].entries()) {
        const here = chatCaller(newChatUser(), { workspace: `strict ${at}` });
        await domain.chat.settings.setForWorkspace('slack', here.workspace, rules);
        expect(linesOf(await commands.createFromText(here, secrets.payload))).to.deep.equal([
          'Here, secrets are not typed after the command. Use the form: /push alone.',
        ]);
        expect(await mine(here)).to.be.empty;
      }
    });

    it('create nothing after the abort', async () => {
      const late = commands.create(me, { payload: 'tulip' }, { signal: AbortSignal.abort() });
      expect(await refusal(late)).to.match(/^unavailable/);
      expect(await mine()).to.be.empty;
    });

    it('offer the defaults of the person, the workspace and the service', async () => {
      expect(await commands.formDefaults(me)).to.include({ views: 5, days: 7, maxViews: 100, maxDays: 90 });
    });
  });

  describe('lists', () => {
    it('show active pushes and open requests, with their buttons', async () => {
      const ben = newChatUser();
      const push = await newPush({ name: 'VPN', expireAfterViews: 1 });
      const other = await newPush({ expireAfterViews: 3 });
      await view(other);
      await domain.chat.requests.create(me.chatUser, ben, { reason: 'the VPN' });
      const card = await commands.list(me);
      expect(card.summary).to.equal('You have 2 active pushes.');
      expect(linesOf(card)).to.have.members([
        'VPN · 0 of 1 view · until THEN · link',
        'Your push · 1 of 3 views · until THEN · link',
        `Waiting for @${ben.address}, asked THEN.`,
      ]);
      expect(labelsOf(card)).to.deep.equal(['Burn now', 'Audit', 'Burn now', 'Audit', 'Cancel']);
      expect(JSON.stringify(card)).to.contain(linkTo(push.urlToken));
    });

    it('suggest pushes by name or creation time, and create nothing', async () => {
      expect(await commands.suggest(me.chatUser, '')).to.be.empty;
      expect(await domain.chat.identities.maybeAccount(me.chatUser)).to.equal(undefined);
      const vpn = await newPush({ name: 'The VPN' });
      const other = await newPush({ expireAfterViews: 1 });
      expect(await commands.suggest(me.chatUser, ' vpn')).to.deep.equal([{ id: vpn.id, label: 'The VPN' }]);
      const labels = (await commands.suggest(me.chatUser, '')).map(({ label }) => label);
      expect(labels).to.have.length(2);
      expect(labels.join()).to.match(/made \d{4}-\d\d-\d\d \d\d:\d\d UTC, 0 of 1 view/);
      await commands.expire(me, other.id);
      expect(await commands.suggest(me.chatUser, '')).to.have.length(1);
      expect(await commands.suggest(me.chatUser, '', { withExpired: true })).to.have.length(2);
      expect(await commands.suggest(newChatUser(), '', { withExpired: true })).to.be.empty;
    });

    it('label each entry in plain text, and show its details to its owner only', async () => {
      const push = await newPush({ name: 'VPN' });
      const request = await domain.chat.requests.create(me.chatUser, newChatUser(), {});
      const { items = [] } = await commands.list(me);
      expect(items.map(({ label }) => label).join()).to.match(/^VPN,asked \d{4}-.* UTC$/);
      expect(items.map(({ details }) => details)).to.deep.equal([
        { id: 'push.show', value: push.id },
        { id: 'request.show', value: request.id },
      ]);
      expect(linesOf(await commands.show(me, push.id))[0]).to.match(/^VPN: not opened yet\. /);
      const alone = await commands.showRequest(me, request.id);
      expect(linesOf(alone)[0]).to.match(/^Waiting for @/);
      expect(aboutOf(alone, 'Cancel')).to.equal(request.id);
      expect(await refusal(commands.show(chatCaller(), push.id))).to.match(/^not_found/);
      expect(linesOf(await commands.showRequest(chatCaller(), request.id))).to.deep.equal(
        linesOf(english.notFound),
      );
    });

    it('count one push in the singular, and say when there is none', async () => {
      expect(linesOf(await commands.list(me))).to.deep.equal(['You have no active push. /push makes one.']);
      await newPush();
      expect((await commands.list(me)).summary).to.equal('You have 1 active push.');
    });

    it('show only the newest of many, and say so', async () => {
      const cutList = ['Older ones are not shown.'];
      for (let batch = 0; batch < 2; batch++) await times(6, () => newPush({ passphrase: undefined }));
      await times(12, () => domain.chat.requests.create(me.chatUser, newChatUser(), {}));
      expect(await commands.list(me)).to.not.have.property('footnotes');
      await newPush();
      expect((await commands.list(me)).footnotes).to.deep.equal([cutList]);
      const other = chatCaller();
      await times(13, () => domain.chat.requests.create(other.chatUser, newChatUser(), {}));
      expect((await commands.list(other)).footnotes).to.deep.equal([cutList]);
      const card = await commands.list(me, ['A hint.']);
      expect(card.items).to.have.length(24);
      expect(card.summary).to.equal('Your newest pushes.');
      expect(linesOf(card).slice(-2)).to.deep.equal(['Older ones are not shown.', 'A hint.']);
      expect(linesOf(await commands.list(chatCaller(), ['A hint.'])).at(-1)).to.equal('A hint.');
    });

    it('show nobody else’s pushes', async () => {
      await newPush({}, chatCaller());
      expect((await commands.list(me)).items).to.equal(undefined);
    });
  });

  describe('finding a push by name', () => {
    /** What `withNamedPush` does with a name: the pushes that it ran the command for, and the card. */
    async function named(name: string, who = me): Promise<{ acted: string[]; card: Card }> {
      const acted: string[] = [];
      const card = await commands.withNamedPush(who, name, async (_asker, id) => {
        acted.push(id);
        return { summary: 'done', lines: [] };
      });
      return { acted, card };
    }

    it('ignores case and spaces of the name', async () => {
      const push = await newPush({ name: ' VPN of Ann ' });
      await newPush({ name: 'VPN' });
      for (const name of ['VPN of Ann', 'vpn OF ann', '  VPN of Ann '])
        expect((await named(name)).acted, name).to.deep.equal([push.id]);
    });

    it('takes a pasted link in any form', async () => {
      const push = await newPush();
      await newPush();
      const link = linkTo(push.urlToken);
      for (const name of [link, `<${link}|${link}>`, `${link}.json`, push.urlToken, link.toUpperCase()])
        expect((await named(name)).acted, name).to.deep.equal([push.id]);
    });

    it('finds one among many', async () => {
      const push = await newPush({ name: 'the first' });
      for (let batch = 0; batch < 3; batch++) await times(5, () => newPush({ passphrase: undefined }));
      expect((await named('the first')).acted).to.deep.equal([push.id]);
      expect((await named(linkTo(push.urlToken))).acted).to.deep.equal([push.id]);
    });

    it('finds an expired push when no active one matches', async () => {
      const [push, again] = [await newPush({ name: 'VPN' }), await newPush({ name: 'VPN' })];
      await commands.expire(me, push.id);
      expect((await named('VPN')).acted).to.deep.equal([again.id]);
      expect((await named(linkTo(push.urlToken))).acted).to.deep.equal([push.id]);
      await commands.expire(me, again.id);
      const { acted, card } = await named('vpn');
      expect(acted).to.be.empty;
      expect(linesOf(card)).to.deep.equal(['Which push?', 'VPN · never read', 'VPN · never read']);
      expect(labelsOf(card)).to.deep.equal(['Audit', 'Audit']);
    });

    it('asks which push is meant when several match, or none', async () => {
      const [one, two] = [await newPush({ name: 'VPN' }), await newPush({ name: 'vpn' })];
      const third = await newPush({ name: 'mail' });
      const several = await named('VPN');
      expect(several.acted).to.be.empty;
      expect(several.card.summary).to.equal('Which push?');
      const ids = (card: Card) => new Set(buttonsOf(card).map((each) => 'value' in each && each.value));
      expect([...ids(several.card)]).to.have.members([one.id, two.id]);
      for (const name of ['', '   ', 'nothing', 'VP', linkTo('0'.repeat(26))]) {
        const { acted, card } = await named(name);
        expect(acted, name).to.be.empty;
        expect([...ids(card)], name).to.have.members([one.id, two.id, third.id]);
      }
      const none = await named('VPN', chatCaller());
      expect(linesOf(none.card)).to.deep.equal(['You have no active push. /push makes one.']);
    });

    it('offers no more pushes than a chat can show', async () => {
      for (let batch = 0; batch < 3; batch++) await times(5, () => newPush({ passphrase: undefined }));
      expect((await named('nothing')).card.items).to.have.length(12);
    });

    it('finds nobody else’s push', async () => {
      const push = await newPush({ name: 'VPN' }, chatCaller());
      for (const name of ['VPN', linkTo(push.urlToken)]) expect((await named(name)).acted).to.be.empty;
    });

    it('runs the command once though the platform delivers it again', async () => {
      const push = await newPush({ name: 'VPN' });
      const here = { ...me, idempotencyKey: `burn ${push.id}` };
      const card = await commands.withNamedPush(here, 'VPN', commands.expire);
      expect(linesOf(card)).to.deep.equal(['VPN was burned, never read.']);
      expect(await refusal(commands.withNamedPush(here, 'VPN', commands.expire))).to.match(/^conflict/);
      const caller = { ...me, idempotencyKey: `ask ${push.id}` };
      await commands.withNamedPush(caller, 'nothing', commands.expire);
      expect(await refusal(commands.withNamedPush(caller, 'nothing', commands.expire))).to.match(/^conflict/);
    });

    it('counts as one command', async () => {
      const limited = await startService({ RATE_LIMITS: 'on', LIMIT_COMMANDS: '3/1m' });
      try {
        const own = createCommands({ domain: limited.domain, linkTo, pageOf: () => '' });
        await limited.domain.chat.pushes.create(me, { payload: 'tulip', name: 'VPN' });
        await own.withNamedPush(me, 'VPN', own.audit);
        await own.withNamedPush(me, 'nothing', own.audit);
        for (const name of ['VPN', 'nothing'])
          expect(await refusal(own.withNamedPush(me, name, own.audit))).to.match(/^too_many/);
      } finally {
        await limited.stop();
      }
    });
  });

  describe('expire', () => {
    it('ends a push now, and says so', async () => {
      const push = await newPush({ name: 'VPN' });
      await view(push);
      await view(push);
      const card = await commands.expire(me, push.id);
      expect(linesOf(card)).to.deep.equal(['VPN was burned, read twice.']);
      expect(card.summary).to.equal('VPN was burned, read twice.');
      expect(labelsOf(card)).to.deep.equal(['Audit']);
      expect(linesOf(await commands.expire(me, push.id))).to.deep.equal(['VPN was burned, read twice.']);
      expect((await view(push)).payload).to.equal(null);
    });
  });

  describe('extend', () => {
    it('gives a push more time, and says so', async () => {
      const push = await newPush({ expireAfterDays: 2, expireAfterViews: 2 });
      const card = await commands.extend(me, push.id);
      expect(linesOf(card)).to.deep.equal([
        `Your push: not opened yet. ${linkTo(push.urlToken)}`,
        'Opens twice, until THEN.',
      ]);
      expect(card.lines[1]?.[1]).to.deep.equal({ time: push.expiresAt + 2 * 86_400_000, as: 'moment' });
      expect(labelsOf(card)).to.deep.equal(['Burn now', 'Extend', 'Audit']);
      await view(push);
      expect(linesOf(await commands.extend(me, push.id))).to.deep.equal([
        `Your push: viewed 1 of 2 times. ${linkTo(push.urlToken)}`,
        'Opens once more, until THEN.',
      ]);
    });

    it('changes nothing of an expired push, and says so', async () => {
      const push = await newPush({ name: 'VPN' });
      await view(push);
      await expirePushIn(service, push.urlToken, 0);
      expect(linesOf(await commands.extend(me, push.id))).to.deep.equal(['VPN has expired, read once.']);
    });
  });

  describe('audit', () => {
    it('lists what happened to a push', async () => {
      const push = await newPush({ name: 'VPN', expireAfterViews: 1, deletableByViewer: true });
      await refusalOf(view(push, 'wrong'));
      const bot = { account: null, client: { ...anonymous.client, isPreviewer: true } };
      await domain.pushes.reveal(push.urlToken, undefined, bot);
      await commands.extend(me, push.id);
      await view(push);
      await view(push);
      const card = await commands.audit(me, push.id);
      expect(linesOf(card)).to.deep.equal([
        'VPN: 1 of 1 view used.',
        'THEN made',
        'THEN wrong passphrase from 192.0.2.7',
        'THEN looked at by a machine, which spends no view from 192.0.2.7',
        'THEN extended',
        'THEN viewed from 192.0.2.7',
        'THEN opened too late from 192.0.2.7',
      ]);
      expect(card.summary).to.equal('The log of your push.');
    });

    it('lists the newest of a long log, and counts the rest', async () => {
      const push = await newPush({ passphrase: undefined, expireAfterViews: 100 });
      const look = () => domain.pushes.reveal(push.urlToken, undefined, anonymous);
      for (let count = 0; count < 15; count++) await look();
      expect(linesOf(await commands.audit(me, push.id)).at(-1)).to.equal('1 earlier entry not shown.');
      for (let count = 0; count < 45; count++) await look();
      await commands.expire(me, push.id);
      const lines = linesOf(await commands.audit(me, push.id));
      expect(lines).to.have.length(1 + 15 + 1);
      expect(lines[0]).to.equal('Your push: 60 of 100 views used.');
      expect(lines.slice(-2)).to.deep.equal(['THEN burned', '47 earlier entries not shown.']);
      const all = await domain.pushes.auditLog(push.urlToken, 2, {
        account: await domain.chat.identities.accountOf(me.chatUser),
        client: anonymous.client,
      });
      const card = await commands.audit(me, push.id);
      const moments = card.lines
        .slice(1)
        .map(([part]) => typeof part === 'object' && 'time' in part && part.time);
      expect(moments.slice(-all.length)).to.deep.equal(all.map(({ createdAt }) => createdAt).slice(-15));
    });
  });

  describe('share', () => {
    it('sends an existing push to more people', async () => {
      const ann = newChatUser();
      const push = await newPush();
      const card = await commands.share(me, push.id, [ann.address]);
      expect(linesOf(card)).to.deep.equal([`Sent to @${ann.address}.`]);
      expect(card.summary).to.equal('Sent.');
      expect(summarize(await deliverNotices(domain, [ann]))).to.deep.equal([`${ann.address} shared`]);
    });

    it('sends it to people on the caller’s platform', async () => {
      const onDiscord: ChatCaller = { chatUser: { platform: 'discord', address: '42' }, workspace: 'G1' };
      const push = await newPush({}, onDiscord);
      await commands.share(onDiscord, push.id, ['43']);
      const binds = { address: '43', messenger: 'discord' };
      expect(
        await countRows(service, 'notices', 'address = $address AND messenger = $messenger', binds),
      ).to.equal(1);
    });
  });

  it('are refused to everybody but the owner of a push', async () => {
    const push = await newPush();
    const stranger = chatCaller();
    for (const id of [push.id, '', 'x', '0'.repeat(32)]) {
      const acts = [
        commands.expire(stranger, id),
        commands.extend(stranger, id),
        commands.audit(stranger, id),
        commands.share(stranger, id, [newChatUser().address]),
      ];
      for (const act of acts) expect(await refusal(act)).to.equal('not_found: There is no such push.');
    }
    expect(await mine()).to.have.length(1);
    expect(await deliverNotices(domain)).to.be.empty;
  });

  describe('requests', () => {
    let ann: ChatCaller;

    beforeEach(() => {
      ann = chatCaller();
    });

    it('reach the provider, who answers with a form', async () => {
      const asked = await commands.request(me, ann.chatUser, 'the VPN');
      expect(linesOf(asked)).to.deep.equal([
        `Asked @${ann.chatUser.address}. You will hear as soon as there is an answer.`,
      ]);
      expect(asked.summary).to.equal('Asked.');
      const id = aboutOf(asked, 'Cancel');
      await deliverNotices(domain);
      const given = await commands.provide(ann, id, secrets, new AbortController().signal);
      expect(linesOf(given)).to.deep.equal([`You sent @${me.chatUser.address} the secret.`]);
      expect(given.summary).to.equal('You sent somebody the secret.');
      expect(summarize(await deliverNotices(domain, [me.chatUser]))).to.deep.equal([
        `${me.chatUser.address} shared`,
      ]);
      expect(await refusal(commands.provide(ann, id, secrets, new AbortController().signal))).to.match(
        /^not_found/,
      );
      expect(await mine(ann)).to.have.length(1);
    });

    it('can be declined by the provider, and cancelled by the requester', async () => {
      const one = aboutOf(await commands.request(me, ann.chatUser, null), 'Cancel');
      const other = aboutOf(await commands.request(me, ann.chatUser, null), 'Cancel');
      for (const act of [commands.decline(me, one), commands.cancel(ann, one)])
        expect(await refusal(act)).to.match(/^not_found/);
      const declined = await commands.decline(ann, one);
      expect(linesOf(declined)).to.deep.equal([`You declined to send @${me.chatUser.address} a secret.`]);
      expect(declined.summary).to.equal('You declined to send somebody a secret.');
      const cancelled = await commands.cancel(me, other);
      expect(linesOf(cancelled)).to.deep.equal([`You no longer ask @${ann.chatUser.address} for a secret.`]);
      expect(cancelled.summary).to.equal('You no longer ask somebody for a secret.');
    });

    it('are new for each idempotency key', async () => {
      const here = { ...me, idempotencyKey: `request ${me.chatUser.address}` };
      await commands.request(here, ann.chatUser, null);
      expect(await refusal(commands.request(here, ann.chatUser, null))).to.match(/^conflict/);
      expect(await domain.chat.requests.list(me.chatUser)).to.have.length(1);
    });
  });

  describe('links to the browser', () => {
    it('include a compose link, which is shown before it works', async () => {
      const { link, save } = commands.prepareComposeLink({ ...me, replyTo: 'https://example.com/reply' });
      const [, token = ''] = /^http:\/\/push\.test\/compose\/([\w-]{43})$/.exec(link) ?? [];
      expect(await refusal(domain.chat.previewCompose(token))).to.match(/^not_found/);
      await save();
      expect((await domain.chat.previewCompose(token)).context).to.include({ workspace: me.workspace });
    });

    it('include a connect link, which signs in as the caller for ten minutes', async () => {
      const card = await commands.connect(me, '@alice');
      const [button] = buttonsOf(card);
      expect(button).to.include({ label: 'Connect' }).and.have.property('url');
      const url = button !== undefined && 'url' in button ? button.url : '';
      const [, token = ''] = /^http:\/\/push\.test\/connect\/([\w-]{43})$/.exec(url) ?? [];
      expect(await domain.chat.links.redeem('connect', token)).to.deep.equal({
        chatUser: me.chatUser,
        name: '@alice',
      });
    });
  });

  describe('the home', () => {
    it('shows everything of the caller’s under headings', async () => {
      const empty = await commands.home(me);
      expect(Object.entries(empty).map(([heading, card]) => [heading, ...linesOf(card)])).to.deep.equal([
        ['Active pushes', 'None.'],
        ['Secrets you asked for', 'None.'],
        ['Expired pushes', 'None.'],
      ]);
      await newPush({ name: 'VPN' });
      const ended = await newPush({ name: 'mail', expireAfterViews: 1 });
      await view(ended);
      const ben = newChatUser();
      await domain.chat.requests.create(me.chatUser, ben, {});
      const full = await commands.home(me);
      expect(Object.values(full).map(linesOf)).to.deep.equal([
        ['VPN · 0 of 5 views · until THEN · link'],
        [`Waiting for @${ben.address}, asked THEN.`],
        ['mail · read once'],
      ]);
      expect(Object.values(full).map(labelsOf)).to.deep.equal([['Burn now', 'Audit'], ['Cancel'], ['Audit']]);
    });

    it('shows as much as fits', async () => {
      for (let batch = 0; batch < 3; batch++) await times(5, () => newPush({ passphrase: undefined }));
      await times(15, () => domain.chat.requests.create(me.chatUser, newChatUser(), {}));
      for (const { id } of (await mine()).slice(0, 9)) await commands.expire(me, id);
      for (let batch = 0; batch < 2; batch++) await times(5, () => newPush({ passphrase: undefined }));
      const parts = Object.values(await commands.home(me));
      expect(parts.map(({ items = [] }) => items.length)).to.deep.equal([12, 12, 8]);
    });
  });

  describe('settings', () => {
    const notices = {
      viewed: 'first',
      expired: true,
      failedPassphrase: false,
      reminder: true,
      askedAgain: false,
    } as const;

    it('are those of the person and of the workspace', async () => {
      const here = { ...me, workspace: 'with settings' };
      expect(await commands.settings(here)).to.deep.equal({
        personal: {},
        notices: { viewed: 'every', expired: true, failedPassphrase: true, reminder: true, askedAgain: true },
        workspace: { requireRecipients: false, allowSlashText: true },
      });
      const workspace = { requireRecipients: true, allowSlashText: false, maxViews: 3 };
      await commands.saveSettings(here, { personal: { expireAfterViews: 2 }, notices, workspace });
      expect(await commands.settings(here)).to.deep.equal({
        personal: { expireAfterViews: 2 },
        notices,
        workspace,
      });
    });

    it('of the workspace stay when a person saves their own', async () => {
      const here = { ...me, workspace: 'of others' };
      const workspace = { requireRecipients: true, allowSlashText: false };
      await domain.chat.settings.setForWorkspace('slack', here.workspace, workspace);
      await commands.saveSettings(here, { personal: {}, notices });
      expect(await commands.settings(here)).to.deep.include({ workspace, notices });
    });

    it('out of bounds are refused', async () => {
      const saving = commands.saveSettings(me, { personal: { expireAfterViews: 0 }, notices });
      expect((await refusalOf(saving)).problems).to.have.key('expireAfterViews');
    });
  });

  describe('refusals', () => {
    const worded = (error: unknown) => {
      const card = toErrorCard(error);
      if (card !== undefined) cards.push(card);
      return card && linesOf(card);
    };

    it('have a text for every code', () => {
      const said: Record<ErrorCode, string[]> = {
        invalid: ["That push doesn't belong to you."],
        unauthenticated: ["That push doesn't belong to you."],
        forbidden: ["That push doesn't belong to you."],
        conflict: ["That push doesn't belong to you."],
        too_many: ["That push doesn't belong to you."],
        too_large: ["That push doesn't belong to you."],
        not_found: ['That is over, or is not yours.'],
        unavailable: ['Our database is out of reach. Nothing was made. Please try again.'],
      };
      for (const [code, lines] of Object.entries(said)) {
        const error = new DomainError(code as ErrorCode, 'notOwner');
        expect(worded(error), code).to.deep.equal(lines);
        expect(toErrorCard(error)?.summary, code).to.equal(lines[0]);
      }
    });

    it('name every wrong field by its label', async () => {
      const form = { ...secrets, payload: ' ', expireAfterViews: 0, name: 'x'.repeat(256) };
      const error = await refusalOf(commands.create(me, form, {}));
      expect(worded(error)).to.have.members([
        'The secret must not be blank.',
        'The name must have at most 255 characters.',
        'Views must be between 1 and 100.',
      ]);
      const workspace = 'strict words';
      await domain.chat.settings.setForWorkspace('slack', workspace, {
        requireRecipients: true,
        allowSlashText: true,
        maxDays: 3,
      });
      const beyond = commands.create({ ...me, workspace }, { payload: 'tulip', expireAfterDays: 4 }, {});
      expect(worded(await refusalOf(beyond))).to.deep.equal([
        'Recipients must not be empty here.',
        'Days must be at most 3 here.',
      ]);
      const long = commands.request(me, newChatUser(), 'x'.repeat(501));
      expect(worded(await refusalOf(long))).to.deep.equal(['The reason must have at most 500 characters.']);
      expect(worded(await refusalOf(commands.request(me, me.chatUser, null)))).to.deep.equal([
        'You cannot ask yourself.',
      ]);
    });

    it('ask to try again when the database is unreachable', async () => {
      const away = connectDatabase('mysql://nobody@127.0.0.1:1/none', { poolSize: 1 });
      const error = await away.clock().catch((reason: unknown) => reason);
      await away.close();
      expect(worded(error)).to.deep.equal([
        'Our database is out of reach. Nothing was made. Please try again.',
      ]);
    });

    it('have no card for a failure, which is logged', () => {
      for (const failure of [new Error(secrets.payload), new TypeError('x'), undefined, 'text'])
        expect(toErrorCard(failure)).to.equal(undefined);
    });
  });

  describe('notices', () => {
    /** The text of every notice that somebody gets. */
    const heard = async ({ chatUser }: ChatCaller): Promise<string[]> =>
      (await deliverNotices(domain, [chatUser])).map(({ notice }) => {
        if (!('push' in notice)) return expect.fail('that is about no push');
        const line = english.eventLine(notice);
        cards.push(line);
        return textOf(line);
      });

    it('count views, wrong passphrases and the end in words', async () => {
      const push = await newPush({ expireAfterViews: 4 });
      await view(push);
      expect(await heard(me)).to.deep.equal(['Viewed, 1 of 4 in all, THEN.']);
      await view(push);
      await view(push);
      expect(await heard(me)).to.deep.equal(['Viewed twice, 3 of 4 in all, THEN.']);
      await refusalOf(view(push, 'wrong'));
      expect(await heard(me)).to.deep.equal(['Wrong passphrase, THEN.']);
      for (const _ of [1, 2, 3]) await refusalOf(view(push, 'wrong'));
      expect(await heard(me)).to.deep.equal(['3 wrong passphrases, THEN.']);
      await view(push);
      expect(await heard(me)).to.have.members([
        'Viewed, 4 of 4 in all, THEN.',
        'Expired, read 4 times, THEN.',
      ]);
    });

    it('say whether a push that expired or was burned was ever read', async () => {
      const [byTime, byHand] = [await newPush(), await newPush()];
      await view(byHand);
      await deliverNotices(domain);
      await expirePushIn(service, byTime.urlToken, -1);
      await domain.sweeps.expireDue();
      expect(await heard(me)).to.deep.equal(['Expired, never read, THEN.']);
      await commands.expire(me, byHand.id);
      expect(await heard(me)).to.deep.equal(['Burned, read once, THEN.']);
    });

    it('tell of a near expiry, a lock, and a push from the browser', async () => {
      const push = await newPush();
      const due = `UPDATE pushes SET due_at = ${service.database.dialect.now} WHERE id = $id`;
      await service.database.execute(due, { id: Buffer.from(push.id, 'hex') });
      await domain.sweeps.remindUnread();
      expect(await heard(me)).to.deep.equal(['Nobody has opened it yet, and it expires soon.']);
      const { link, save } = commands.prepareComposeLink(me);
      await save();
      await domain.chat.compose(link.slice(-43), secrets);
      const all = await deliverNotices(domain, [me.chatUser]);
      const [composed] = all.map(({ notice }) => ('push' in notice ? notice : expect.fail('no push')));
      if (composed === undefined) return expect.fail('nobody was told');
      expect(textOf(english.eventLine(composed))).to.equal('Made in the browser, THEN.');
      expect(textOf(english.eventLine({ ...composed, event: 'locked' }))).to.equal(
        'Locked for a while after too many wrong passphrases, THEN.',
      );
    });

    it('tell once that somebody asks for a new push', async () => {
      const push = await newPush({ expireAfterViews: 1 });
      await view(push);
      await deliverNotices(domain);
      for (const _ of [1, 2]) await domain.pushes.askAgain(push.urlToken, someClient);
      expect(await heard(me)).to.deep.equal(['Somebody who came too late asks for it again, THEN.']);
      expect([english.buttons.newPush(push.id)]).to.deep.equal([
        { label: 'New push', style: 'primary', id: 'push.new', value: push.id },
      ]);
      const log = linesOf(await commands.audit(me, push.id));
      expect(log.at(-1)).to.equal(`THEN asked for again from ${someClient.ip}`);
    });

    it('tell recipients of a secret, without what only its owner may see', async () => {
      const push = await newPush({ name: 'name-4711', expireAfterViews: 1 });
      const card = english.received('T1:U1', push, linkTo(push.urlToken));
      expect(linesOf(card)).to.deep.equal([
        '@T1:U1 sent you a secret.',
        'Opens once, until THEN.',
        'You will be asked for a passphrase, which comes by another way.',
      ]);
      expect(buttonsOf(card)).to.deep.equal([
        { label: 'Open', style: 'primary', id: 'push.open', url: linkTo(push.urlToken) },
      ]);
      expect(JSON.stringify(card)).to.not.contain('name-4711');
      cards.push(card);
      const open = english.received(
        undefined,
        { ...push, viewsMax: 3, viewsUsed: 1, hasPassphrase: false },
        'x',
      );
      expect(linesOf(open)).to.deep.equal(['Somebody sent you a secret.', 'Opens twice more, until THEN.']);
    });

    it('tell of requests and their ends, also in plain text', async () => {
      const [ann, ben] = [newChatUser(), newChatUser()];
      const request = await domain.chat.requests.create(ann, ben, { reason: 'the VPN' });
      const asked = english.requested(request);
      expect(linesOf(asked)).to.deep.equal([`@${ann.address} asks you for a secret.`, 'the VPN']);
      expect(labelsOf(asked)).to.deep.equal(['Provide secret', 'Decline']);
      for (const label of labelsOf(asked)) expect(aboutOf(asked, label)).to.equal(request.id);
      expect(linesOf(english.requested({ ...request, reason: null }))).to.have.length(1);
      const ends = [english.requestEnded.wasDeclined(request), english.requestEnded.wasCancelled(request)];
      expect(ends.flatMap(linesOf)).to.deep.equal([
        `@${ben.address} declined to send you the secret.`,
        `@${ann.address} no longer asks you for a secret.`,
      ]);
      expect(ends.map(({ summary }) => summary)).to.deep.equal([
        'Somebody declined to send you the secret.',
        'Somebody no longer asks you for a secret.',
      ]);
    });
  });

  it('lose nothing of a card in JSON', async () => {
    const push = await newPush({ name: 'VPN' });
    const all = [
      await commands.list(me),
      await commands.audit(me, push.id),
      await commands.extend(me, push.id),
      english.help('slack'),
      english.help('discord'),
    ];
    for (const card of all) expect(JSON.parse(JSON.stringify(card))).to.deep.equal(card);
  });
});
