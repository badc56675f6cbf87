import {
  type Account,
  type ChatCaller,
  type ChatPushOptions,
  type ChatUser,
  type ComposeContext,
  type Domain,
  type Push,
  type PushForm,
  toRefusal,
} from '../domain/index.ts';
import { messagesOf } from '../locales/locales.ts';
import type { Card, Line } from './card.ts';
import { cards } from './cards/cards.ts';
import type { PushWithLink } from './cards/lists.ts';
import { createSubmit } from './commands/submit.ts';
import { createForms } from './forms/forms.ts';
import type { ChatUserSettings } from './forms/settings.ts';

type Dependencies = {
  domain: Domain;
  /** The address of a push's page. */
  linkTo: (urlToken: string) => string;
  /** The address of the page that a one-time link is for. */
  pageOf: (purpose: 'compose' | 'connect', token: string) => string;
};

/** What a push is for, as people in a chat say it: addresses. */
type CreateOptions = Omit<ChatPushOptions, 'recipients'> & { recipients?: string[]; hints?: Line[] };

export type Commands = ReturnType<typeof createCommands>;

const listMax = 12;
const expiredListMax = 8;
const auditListMax = 15;
const suggestionsMax = 25;

/**
 * What people can do from a chat, whichever it is. Each answers with a card for the asker alone, and throws the domain's
 * refusals, which `answerTo` words.
 */
export function createCommands({ domain, linkTo, pageOf }: Dependencies) {
  const { chat, pushes, accounts } = domain;

  const withLink = (push: Push): PushWithLink => ({ push, link: linkTo(push.urlToken) });

  /** Makes a push of a filled form, and hands it to its recipients. Refusals name every field that is wrong. */
  async function create(
    caller: ChatCaller,
    form: PushForm,
    { recipients = [], hints, ...purpose }: CreateOptions,
  ): Promise<Card> {
    const { platform } = caller.chatUser;
    const pushCreated = await chat.create(caller, form, {
      ...purpose,
      recipients: recipients.map((address) => ({ platform, address })),
    });
    return cards.pushCreated(pushCreated, linkTo(pushCreated.urlToken), {
      sentTo: recipients,
      ...(hints && { hints }),
    });
  }

  /** Makes a push of the text typed after a command, byte for byte, where the workspace allows that. */
  async function createFromText(caller: ChatCaller, text: string): Promise<Card> {
    const { chatUser, workspace } = caller;
    const rules = await chat.settings.ofWorkspace(chatUser.platform, workspace);
    if (!rules.allowSlashText || rules.requireRecipients) return cards.textNotAllowed;
    return create(caller, { payload: text }, { hints: [cards.hints.slashText] });
  }

  const newestPushes = async (account: Account, state: 'active' | 'expired'): Promise<PushWithLink[]> =>
    (await pushes.list(account, state, 1)).map(withLink);

  /** What is active: the newest pushes, and requests that wait for an answer. */
  async function list(caller: ChatCaller, hint?: Line): Promise<Card> {
    const { account } = await chat.admit(caller);
    const [mine, requests] = await Promise.all([
      newestPushes(account, 'active'),
      chat.requests.list(caller.chatUser),
    ]);
    const isCut = mine.length > listMax || requests.length > listMax;
    return cards.list(mine.slice(0, listMax), requests.slice(0, listMax), { hint, isCut });
  }

  /**
   * Does something with the one push that a name or a pasted link means, an active one before one that has expired, or asks
   * which it is.
   */
  async function withNamedPush(
    caller: ChatCaller,
    name: string,
    action: (caller: ChatCaller, id: string) => Promise<Card>,
  ): Promise<Card> {
    const account = await chat.identities.accountOf(caller.chatUser);
    const query = name.trim().toLowerCase();
    const isMatch = ({ push: { name: own, urlToken } }: PushWithLink) =>
      own?.trim().toLowerCase() === query || query.includes(urlToken);
    const active = await newestPushes(account, 'active');
    const matches = active.filter(isMatch);
    if (matches.length === 0 && query !== '')
      matches.push(...(await newestPushes(account, 'expired')).filter(isMatch));
    const [first, ...others] = matches;
    if (first !== undefined && others.length === 0) return action(caller, first.push.id); // which enters
    await chat.admit(caller);
    return cards.choosePush((first === undefined ? active : matches).slice(0, listMax));
  }

  /** The pushes that somebody may mean by what they typed so far; nobody is refused, and nothing is made. */
  async function suggest(chatUser: ChatUser, typed: string, { withExpired = false } = {}) {
    const account = await chat.identities.maybeAccount(chatUser);
    if (account === undefined) return [];
    const found = await Promise.all([
      pushes.list(account, 'active', 1),
      withExpired ? pushes.list(account, 'expired', 1) : [],
    ]);
    const query = typed.trim().toLowerCase();
    return found
      .flat()
      .map((push) => ({ id: push.id, label: cards.labelOf(push) }))
      .filter(({ label }) => label.toLowerCase().includes(query))
      .slice(0, suggestionsMax);
  }

  /** How a push stands. */
  async function show(caller: ChatCaller, id: string): Promise<Card> {
    const admitted = await chat.admit(caller);
    const push = await pushes.preview(await pushes.requireUrlToken(admitted.account, id), admitted);
    return cards.pushStatus(push, linkTo(push.urlToken));
  }

  /** Ends a push now. */
  async function expire(caller: ChatCaller, id: string): Promise<Card> {
    const admitted = await chat.admit(caller);
    const push = await pushes.expire(await pushes.requireUrlToken(admitted.account, id), admitted);
    return cards.pushStatus(push, linkTo(push.urlToken));
  }

  /** Gives a push more time. */
  async function extend(caller: ChatCaller, id: string): Promise<Card> {
    const admitted = await chat.admit(caller);
    const push = await pushes.extend(await pushes.requireUrlToken(admitted.account, id), admitted);
    return cards.pushStatus(push, linkTo(push.urlToken));
  }

  /** What happened to a push. */
  async function audit(caller: ChatCaller, id: string): Promise<Card> {
    const admitted = await chat.admit(caller);
    const urlToken = await pushes.requireUrlToken(admitted.account, id);
    const [push, { rows, earlier }] = await Promise.all([
      pushes.preview(urlToken, admitted),
      pushes.recentAuditLog(urlToken, auditListMax, admitted),
    ]);
    return cards.audit(push, rows, earlier);
  }

  /** Hands a push that exists to more people. */
  async function share(caller: ChatCaller, id: string, people: string[]): Promise<Card> {
    const { account } = await chat.admit(caller);
    const messenger = caller.chatUser.platform;
    await pushes.share(
      account,
      id,
      people.map((address) => ({ messenger, address })),
    );
    return cards.shared(people);
  }

  /** Asks somebody for a secret. */
  async function request(caller: ChatCaller, provider: ChatUser, reason: string | null): Promise<Card> {
    await chat.admit(caller);
    return cards.requestSent(await chat.requests.create(caller.chatUser, provider, { reason }));
  }

  /** Declines what was asked of the speaker. */
  async function decline(caller: ChatCaller, id: string): Promise<Card> {
    await chat.admit(caller);
    return cards.requestEnded.declined(await chat.requests.decline(id, caller.chatUser));
  }

  /** Takes back what the speaker asked for. */
  async function cancel(caller: ChatCaller, id: string): Promise<Card> {
    await chat.admit(caller);
    return cards.requestEnded.cancelled(await chat.requests.cancel(id, caller.chatUser));
  }

  /** What the speaker asked for, while it waits. */
  async function showRequest(caller: ChatCaller, id: string): Promise<Card> {
    await chat.admit(caller);
    const request = (await chat.requests.list(caller.chatUser)).find((each) => each.id === id);
    return request === undefined ? cards.notFound : cards.pendingRequest(request);
  }

  /** Provides what somebody asked for; the answer is for who provides it. */
  async function provide(
    caller: ChatCaller,
    id: string,
    form: PushForm,
    signal?: AbortSignal,
  ): Promise<Card> {
    const request = await chat.requests.requireOpen(id, caller.chatUser);
    await create(caller, form, { requestId: id, signal });
    return cards.requestEnded.provided(request);
  }

  /** A link to the form in a browser, once, within a quarter of an hour; it works when `keep` is done. */
  function prepareComposeLink(context: ComposeContext): {
    link: string;
    token: string;
    save: () => Promise<void>;
  } {
    const { token, save } = chat.prepareComposeLink(context);
    return { link: pageOf('compose', token), token, save };
  }

  /** Hands what will be made by a compose link to people who were chosen meanwhile. */
  const setComposeRecipients = (caller: ChatCaller, token: string, recipients: string[]) =>
    chat.setComposeRecipients(
      token,
      recipients.map((address) => ({ platform: caller.chatUser.platform, address })),
    );

  /** Keeps a text for an hour until somebody has filled in what else its push needs. */
  function prepareDraft(text: string): { token: string; save: () => Promise<void> } {
    return chat.links.prepare('draft', { text });
  }

  /** The text of a draft, or undefined when it was dropped or is too old. */
  async function maybeDraftText(token: string): Promise<string | undefined> {
    try {
      return (await chat.links.read<{ text: string }>('draft', token)).text;
    } catch (error) {
      if (toRefusal(error)?.code === 'not_found') return undefined;
      throw error;
    }
  }

  const deleteDraft = (token: string) => chat.links.consume(token);

  /** A link that signs a browser in as this speaker, whom their chat calls by `name`, once, within ten minutes. */
  async function connect(caller: ChatCaller, name: string): Promise<Card> {
    await chat.admit(caller);
    const token = await chat.createConnectLink({ chatUser: caller.chatUser, name });
    return cards.connect(pageOf('connect', token));
  }

  /** Everything of the speaker's, for a place of the app's own. */
  async function home(caller: ChatCaller): Promise<Record<string, Card>> {
    const { account } = await chat.admit(caller);
    const [mine, expired, requests] = await Promise.all([
      pushes.list(account, 'active', 1),
      pushes.list(account, 'expired', 1),
      chat.requests.list(caller.chatUser),
    ]);
    return cards.home(
      mine.slice(0, listMax).map(withLink),
      requests.slice(0, listMax),
      expired.slice(0, expiredListMax).map(withLink),
    );
  }

  async function settings(caller: ChatCaller): Promise<ChatUserSettings> {
    const { account } = await chat.admit(caller);
    const { chatUser, workspace } = caller;
    const [personal, rules] = await Promise.all([
      chat.settings.ofUser(chatUser),
      chat.settings.ofWorkspace(chatUser.platform, workspace),
    ]);
    return { personal, notices: accounts.noticePreferencesOf(account), workspace: rules };
  }

  /** Saves what somebody set for themselves and, where they may, for their workspace. Refuses numbers out of bounds. */
  async function saveSettings(
    caller: ChatCaller,
    { personal, notices, workspace }: Partial<ChatUserSettings>,
  ): Promise<Card> {
    const { account } = await chat.admit(caller);
    const { chatUser } = caller;
    if (personal !== undefined) await chat.settings.setForUser(chatUser, personal);
    if (notices !== undefined) await accounts.setNoticePreferences(account, notices);
    if (workspace !== undefined)
      await chat.settings.setForWorkspace(chatUser.platform, caller.workspace, workspace);
    return cards.saved;
  }

  const submit = createSubmit({
    create,
    provide,
    request,
    share,
    saveSettings,
    maybeDraftText,
    deleteDraft,
  });

  return {
    /** The forms that people fill in; `submit` does what they are for. */
    forms: createForms(messagesOf('en').chat),
    submit,
    formDefaults: chat.formDefaults,
    plainDefaults: chat.fallbackDefaults,
    create,
    createFromText,
    list,
    withNamedPush,
    suggest,
    show,
    expire,
    extend,
    audit,
    share,
    request,
    decline,
    cancel,
    showRequest,
    provide,
    prepareComposeLink,
    setComposeRecipients,
    prepareDraft,
    maybeDraftText,
    deleteDraft,
    connect,
    home,
    settings,
    saveSettings,
    /** Whether the last message that we sent to somebody directly did not reach them. */
    isUnreachable: chat.identities.isUnreachable,
    /** A push that was made elsewhere, as its maker is shown it. */
    pushCreated: (push: Push) => cards.pushCreated(push, linkTo(push.urlToken)),
    linkTo,
  };
}
