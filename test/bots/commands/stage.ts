import { expect } from 'chai';
import { type Button, type Card, type Line, toPlainText } from '../../../src/bots/card.ts';
import { type Commands, createCommands } from '../../../src/bots/commands.ts';
import type { ChatCaller, Domain, Push } from '../../../src/domain/index.ts';
import { chatCaller, deliverNotices } from '../../harness/chat.ts';
import { anonymous, startService, type TestService } from '../../harness/service.ts';

export const linkTo = (urlToken: string) => `http://push.test/p/${urlToken}`;
export const secrets = { payload: 'payload-4711', passphrase: 'passphrase-4711', note: 'note-4711' };

export let service: TestService;
export let domain: Domain;
export let commands: Commands;
/** A new caller for each test. */
export let me: ChatCaller;
/** Every card that a command has given in a test. */
export let cards: unknown[] = [];

/** Starts a service for the tests of a describe block, and checks that no card ever holds a secret. */
export function useCommands(): void {
  before(async () => {
    service = await startService();
    ({ domain } = service);
    commands = recording(
      createCommands({
        ...{ domain, linkTo, requestLinkTo: (token) => `http://push.test/a/${token}` },
        pageOf: (purpose, token) => `http://push.test/${purpose}/${token}`,
      }),
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
}

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

export const mine = async (caller: ChatCaller = me) =>
  domain.pushes.list({ account: await domain.chat.identities.accountOf(caller.chatUser) }, 'active', 1);

export const newPush = (form: object = {}, caller: ChatCaller = me): Promise<Push> =>
  domain.chat.pushes.create(caller, { ...secrets, ...form });

export const view = ({ urlToken }: Push, passphrase = secrets.passphrase) =>
  domain.pushes.reveal(urlToken, passphrase, anonymous);

export const textOf = (line: Line): string =>
  line
    .map((part) => {
      if (typeof part === 'object' && 'person' in part) return `@${part.person}`;
      if (typeof part === 'object' && 'time' in part) return 'THEN';
      return toPlainText([part]);
    })
    .join('');

/** The lines of a card as text; times are THEN, people @ADDRESS. */
export const linesOf = ({ lines, items = [], footnotes = [] }: Card): string[] =>
  [...lines, ...items.map(({ line }) => line), ...footnotes].map(textOf);

export const buttonsOf = ({ buttons = [], items = [] }: Card): Button[] => [
  ...buttons,
  ...items.flatMap((item) => item.buttons),
];

export const labelsOf = (card: Card) => buttonsOf(card).map(({ label }) => label);

/** The id of the push or request of a button. */
export function aboutOf(card: Card, label: string): string {
  const button = buttonsOf(card).find((each) => each.label === label);
  return button !== undefined && 'value' in button ? button.value : expect.fail(`no button ${label}`);
}
