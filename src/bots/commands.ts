import {
  type Asker,
  asRefusal,
  type Composing,
  type Domain,
  type Form,
  type NoticeChoice,
  type Owner,
  type PersonSettings,
  type Purpose,
  type Push,
  type Speaker,
  type WorkspaceSettings,
} from '../domain/index.ts';
import type { Card, Line } from './card.ts';
import * as words from './messages.ts';

type Parts = {
  domain: Domain;
  /** The address of a push's page. */
  linkTo: (urlToken: string) => string;
  /** The address of the page that a one-time link is for. */
  pageOf: (purpose: 'compose' | 'connect', token: string) => string;
};

/** What a push is for, as people in a chat say it: addresses. */
type For = Omit<Purpose, 'recipients'> & { recipients?: string[]; hints?: Line[] };

/** What somebody may set: for themselves and, where they are an admin, for everybody. */
export type Settings = { person: PersonSettings; notices: NoticeChoice; workspace: WorkspaceSettings };

export type Commands = ReturnType<typeof createCommands>;

const listed = 12;
const expiredListed = 8;
const auditListed = 15;
const suggested = 25;

/**
 * What people can do from a chat, whichever it is. Each answers with a card for the asker alone, and throws the domain's
 * refusals, which `answerTo` words.
 */
export function createCommands({ domain, linkTo, pageOf }: Parts) {
  const { chat, pushes, accounts } = domain;

  const linked = (push: Push): words.Linked => ({ push, link: linkTo(push.urlToken) });

  /** Makes a push of a filled form, and hands it to its recipients. Refusals name every field that is wrong. */
  async function push(asker: Asker, form: Form, { recipients = [], hints, ...purpose }: For): Promise<Card> {
    const { platform } = asker.speaker;
    const made = await chat.make(asker, form, {
      ...purpose,
      recipients: recipients.map((address) => ({ platform, address })),
    });
    return words.made(made, linkTo(made.urlToken), { sentTo: recipients, ...(hints && { hints }) });
  }

  /** Makes a push of the text typed after a command, byte for byte, where the workspace allows that. */
  async function pushText(asker: Asker, text: string): Promise<Card> {
    const { speaker, workspace } = asker;
    const rules = await chat.settings.ofWorkspace(speaker.platform, workspace);
    if (!rules.allowSlashText || rules.requireRecipients) return words.noText;
    return push(asker, { payload: text }, { hints: [words.hints.slashText] });
  }

  const newest = async (owner: Owner, state: 'active' | 'expired'): Promise<words.Linked[]> =>
    (await pushes.list(owner, state, 1)).map(linked);

  /** What is active: the newest pushes, and requests that wait for an answer. */
  async function list(asker: Asker, hint?: Line): Promise<Card> {
    const { owner } = await chat.enter(asker);
    const [mine, requests] = await Promise.all([newest(owner, 'active'), chat.requests.list(asker.speaker)]);
    const isCut = mine.length > listed || requests.length > listed;
    return words.list(mine.slice(0, listed), requests.slice(0, listed), { hint, isCut });
  }

  /**
   * Does something with the one push that a name or a pasted link means, an active one before one that has expired, or asks
   * which it is.
   */
  async function withNamed(
    asker: Asker,
    name: string,
    act: (asker: Asker, id: string) => Promise<Card>,
  ): Promise<Card> {
    const owner = await chat.identities.ownerOf(asker.speaker);
    const wanted = name.trim().toLowerCase();
    const isMeant = ({ push: { name: own, urlToken } }: words.Linked) =>
      own?.trim().toLowerCase() === wanted || wanted.includes(urlToken);
    const mine = await newest(owner, 'active');
    const meant = mine.filter(isMeant);
    if (meant.length === 0 && wanted !== '') meant.push(...(await newest(owner, 'expired')).filter(isMeant));
    const [first, ...others] = meant;
    if (first !== undefined && others.length === 0) return act(asker, first.push.id); // which enters
    await chat.enter(asker);
    return words.choose((first === undefined ? mine : meant).slice(0, listed));
  }

  /** The pushes that somebody may mean by what they typed so far; nobody is refused, and nothing is made. */
  async function suggest(speaker: Speaker, typed: string, { withExpired = false } = {}) {
    const owner = await chat.identities.maybeOwner(speaker);
    if (owner === undefined) return [];
    const found = await Promise.all([
      pushes.list(owner, 'active', 1),
      withExpired ? pushes.list(owner, 'expired', 1) : [],
    ]);
    const wanted = typed.trim().toLowerCase();
    return found
      .flat()
      .map((push) => ({ id: push.id, label: words.labelOf(push) }))
      .filter(({ label }) => label.toLowerCase().includes(wanted))
      .slice(0, suggested);
  }

  /** How a push stands. */
  async function show(asker: Asker, id: string): Promise<Card> {
    const who = await chat.enter(asker);
    const push = await pushes.peek(await pushes.tokenOf(who.owner, id), who);
    return words.state(push, linkTo(push.urlToken));
  }

  /** Ends a push now. */
  async function burn(asker: Asker, id: string): Promise<Card> {
    const who = await chat.enter(asker);
    const push = await pushes.expire(await pushes.tokenOf(who.owner, id), who);
    return words.state(push, linkTo(push.urlToken));
  }

  /** Gives a push more time. */
  async function extend(asker: Asker, id: string): Promise<Card> {
    const who = await chat.enter(asker);
    const push = await pushes.extend(await pushes.tokenOf(who.owner, id), who);
    return words.state(push, linkTo(push.urlToken));
  }

  /** What happened to a push. */
  async function audit(asker: Asker, id: string): Promise<Card> {
    const who = await chat.enter(asker);
    const urlToken = await pushes.tokenOf(who.owner, id);
    const [push, { rows, earlier }] = await Promise.all([
      pushes.peek(urlToken, who),
      pushes.newestOfLog(urlToken, auditListed, who),
    ]);
    return words.audit(push, rows, earlier);
  }

  /** Hands a push that exists to more people. */
  async function send(asker: Asker, id: string, people: string[]): Promise<Card> {
    const { owner } = await chat.enter(asker);
    const messenger = asker.speaker.platform;
    await pushes.share(
      owner,
      id,
      people.map((address) => ({ messenger, address })),
    );
    return words.sent(people);
  }

  /** Asks somebody for a secret. */
  async function request(asker: Asker, provider: Speaker, reason: string | null): Promise<Card> {
    await chat.enter(asker);
    return words.asked(await chat.requests.make(asker.speaker, provider, { reason }));
  }

  /** Declines what was asked of the speaker. */
  async function decline(asker: Asker, id: string): Promise<Card> {
    await chat.enter(asker);
    return words.ended.declined(await chat.requests.decline(id, asker.speaker));
  }

  /** Takes back what the speaker asked for. */
  async function cancel(asker: Asker, id: string): Promise<Card> {
    await chat.enter(asker);
    return words.ended.cancelled(await chat.requests.cancel(id, asker.speaker));
  }

  /** What the speaker asked for, while it waits. */
  async function showRequest(asker: Asker, id: string): Promise<Card> {
    await chat.enter(asker);
    const request = (await chat.requests.list(asker.speaker)).find((each) => each.id === id);
    return request === undefined ? words.gone : words.waiting(request);
  }

  /** Provides what somebody asked for; the answer is for who provides it. */
  async function provide(asker: Asker, id: string, form: Form, signal: AbortSignal): Promise<Card> {
    const request = await chat.requests.requireOpen(id, asker.speaker);
    await push(asker, form, { answering: id, signal });
    return words.ended.provided(request);
  }

  /** A link to the form in a browser, once, within a quarter of an hour; it works when `keep` is done. */
  function compose(composing: Composing): { link: string; token: string; keep: () => Promise<void> } {
    const { token, keep } = chat.prepareComposing(composing);
    return { link: pageOf('compose', token), token, keep };
  }

  /** Hands what will be made by a compose link to people who were chosen meanwhile. */
  const addressComposing = (asker: Asker, token: string, recipients: string[]) =>
    chat.addressComposing(
      token,
      recipients.map((address) => ({ platform: asker.speaker.platform, address })),
    );

  /** Keeps a text for an hour until somebody has filled in what else its push needs. */
  function draft(text: string): { token: string; keep: () => Promise<void> } {
    return chat.links.prepare('draft', { text });
  }

  /** The text of a draft, or undefined when it was dropped or is too old. */
  async function textOf(token: string): Promise<string | undefined> {
    try {
      return (await chat.links.look<{ text: string }>('draft', token)).text;
    } catch (error) {
      if (asRefusal(error)?.code === 'not_found') return undefined;
      throw error;
    }
  }

  const dropDraft = (token: string) => chat.links.use(token);

  /** A link that signs a browser in as this speaker, whom their chat calls by `name`, once, within ten minutes. */
  async function connect(asker: Asker, name: string): Promise<Card> {
    await chat.enter(asker);
    const token = await chat.makeConnecting({ speaker: asker.speaker, name });
    return words.connect(pageOf('connect', token));
  }

  /** Everything of the speaker's, for a place of the app's own. */
  async function home(asker: Asker): Promise<Record<string, Card>> {
    const { owner } = await chat.enter(asker);
    const [mine, expired, requests] = await Promise.all([
      pushes.list(owner, 'active', 1),
      pushes.list(owner, 'expired', 1),
      chat.requests.list(asker.speaker),
    ]);
    return words.home(
      mine.slice(0, listed).map(linked),
      requests.slice(0, listed),
      expired.slice(0, expiredListed).map(linked),
    );
  }

  async function settings(asker: Asker): Promise<Settings> {
    const { owner } = await chat.enter(asker);
    const { speaker, workspace } = asker;
    const [person, rules] = await Promise.all([
      chat.settings.ofPerson(speaker),
      chat.settings.ofWorkspace(speaker.platform, workspace),
    ]);
    return { person, notices: accounts.noticesOf(owner), workspace: rules };
  }

  /** Saves what somebody set for themselves and, where they may, for their workspace. Refuses numbers out of bounds. */
  async function saveSettings(
    asker: Asker,
    { person, notices, workspace }: Partial<Settings>,
  ): Promise<Card> {
    const { owner } = await chat.enter(asker);
    const { speaker } = asker;
    if (person !== undefined) await chat.settings.setPerson(speaker, person);
    if (notices !== undefined) await accounts.setNotices(owner, notices);
    if (workspace !== undefined)
      await chat.settings.setWorkspace(speaker.platform, asker.workspace, workspace);
    return words.saved;
  }

  return {
    formDefaults: chat.formDefaults,
    plainDefaults: chat.plainDefaults,
    push,
    pushText,
    list,
    withNamed,
    suggest,
    show,
    burn,
    extend,
    audit,
    send,
    request,
    decline,
    cancel,
    showRequest,
    provide,
    compose,
    addressComposing,
    draft,
    textOf,
    dropDraft,
    connect,
    home,
    settings,
    saveSettings,
    /** Whether the last message that we sent to somebody directly did not reach them. */
    isUnreachable: chat.identities.isUnreachable,
    /** A push that was made elsewhere, as its maker is shown it. */
    made: (push: Push) => words.made(push, linkTo(push.urlToken)),
    linkTo,
  };
}

/** What is said of a refusal; `undefined` stands for a failure, which the caller logs and words as `words.ourFault`. */
export function answerTo(error: unknown): Card | undefined {
  const refusal = asRefusal(error);
  if (refusal?.code === 'not_found') return words.gone;
  if (refusal?.code === 'unavailable') return words.tryAgain;
  return refusal && words.refused(refusal);
}
