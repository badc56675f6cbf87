import {
  type Domain,
  DomainError,
  type Owner,
  type Push,
  type SecretRequest,
  type Speaker,
  type WorkspaceSettings,
} from '../domain/index.ts';
import { type Card, say } from './card.ts';
import * as words from './words.ts';

type Parts = {
  domain: Domain;
  /** The address of a push's page. */
  linkTo: (urlToken: string) => string;
  /** The address of a page that uses a one-time link. */
  pageOf: (purpose: 'compose' | 'connect', token: string) => string;
};

/** Who asks, where, and what they call themselves to others. */
export type Asker = { speaker: Speaker; workspace: string; userAgent: string };

/** What somebody filled into the form; absent is what they left alone. */
export type Form = {
  payload: string;
  recipients?: string[];
  expireAfterViews?: number | undefined;
  expireAfterDays?: number | undefined;
  passphrase?: string | undefined;
  name?: string | undefined;
  note?: string | undefined;
  deletableByViewer?: boolean | undefined;
  notify?: object | undefined;
};

/** What a form offers before anybody fills it in. */
export type FormDefaults = {
  views: number;
  days: number;
  maxViews: number;
  maxDays: number;
  requireRecipients: boolean;
};

export type Commands = ReturnType<typeof createCommands>;

const listed = 15;

/**
 * What people can do from a chat, whichever it is. Each answers with a card for the asker alone, and throws the domain's
 * refusals, which `answerTo` words.
 */
export function createCommands({ domain, linkTo, pageOf }: Parts) {
  const { chat, pushes, limits } = domain;

  const asking = (owner: Owner, { userAgent }: Asker) => ({
    owner,
    visit: { ip: '', userAgent, referrer: '', isPreviewer: false },
  });

  async function enter(asker: Asker) {
    await limits.consume('commands', { name: `${asker.speaker.platform}:${asker.speaker.address}` });
    const owner = await chat.identities.ownerOf(asker.speaker);
    return asking(owner, asker);
  }

  /** What the form should show to this person, here. */
  async function formDefaults({ speaker, workspace }: Asker): Promise<FormDefaults> {
    const [person, rules] = await Promise.all([
      chat.settings.ofPerson(speaker),
      chat.settings.ofWorkspace(speaker.platform, workspace),
    ]);
    const { defaults, bounds } = domain.pushSettings;
    const maxViews = Math.min(rules.maxViews ?? Number.POSITIVE_INFINITY, bounds.expireAfterViews.max);
    const maxDays = Math.min(rules.maxDays ?? Number.POSITIVE_INFINITY, bounds.expireAfterDays.max);
    return {
      views: Math.min(
        maxViews,
        person.expireAfterViews ?? rules.expireAfterViews ?? defaults.expireAfterViews,
      ),
      days: Math.min(maxDays, person.expireAfterDays ?? rules.expireAfterDays ?? defaults.expireAfterDays),
      maxViews,
      maxDays,
      requireRecipients: rules.requireRecipients,
    };
  }

  /** Makes a push of a filled form, and hands it to its recipients. Names every field that is wrong, as the form names it. */
  async function push(asker: Asker, form: Form): Promise<{ card: Card; push: Push }> {
    const who = await enter(asker);
    const defaults = await formDefaults(asker);
    const {
      recipients = [],
      expireAfterViews = defaults.views,
      expireAfterDays = defaults.days,
      ...rest
    } = form;
    refuseBeyond(defaults, { recipients, expireAfterViews, expireAfterDays });
    const made = await pushes.create(
      { ...rest, expireAfterViews, expireAfterDays, retrievalStep: true },
      who,
      {
        sharedWith: recipients.map((address) => ({ messenger: asker.speaker.platform, address })),
      },
    );
    return { card: words.made(made, linkTo(made.urlToken), { sentTo: recipients }), push: made };
  }

  /** Makes a push of the text typed after a command, byte for byte, where the workspace allows that. */
  async function pushText(asker: Asker, text: string): Promise<Card> {
    const { allowSlashText, requireRecipients } = await chat.settings.ofWorkspace(
      asker.speaker.platform,
      asker.workspace,
    );
    if (!allowSlashText || requireRecipients) return words.noText;
    const { push: made } = await push(asker, { payload: text });
    return words.made(made, linkTo(made.urlToken), { hint: words.slashHint });
  }

  /** What is active: the newest pushes, and requests that wait for an answer. */
  async function list(asker: Asker): Promise<Card> {
    const { owner } = await enter(asker);
    const [active, requests] = await Promise.all([
      pushes.list(owner, 'active', 1),
      chat.requests.list(asker.speaker),
    ]);
    return words.list(
      active.slice(0, listed).map((push) => ({ push, link: linkTo(push.urlToken) })),
      requests,
    );
  }

  /** The newest active push, for commands that name none. */
  async function newest(asker: Asker): Promise<string> {
    const owner = await chat.identities.ownerOf(asker.speaker);
    const [push] = await pushes.list(owner, 'active', 1);
    if (push === undefined) throw new DomainError('not_found', 'You have no active push.');
    return push.id;
  }

  /** Ends a push now. */
  async function burn(asker: Asker, id: string): Promise<Card> {
    const who = await enter(asker);
    const push = await pushes.expire(await pushes.tokenOf(who.owner, id), who);
    return words.state(push, linkTo(push.urlToken));
  }

  /** Gives a push more time. */
  async function extend(asker: Asker, id: string): Promise<Card> {
    const who = await enter(asker);
    const push = await pushes.extend(await pushes.tokenOf(who.owner, id), who);
    return words.state(push, linkTo(push.urlToken));
  }

  /** What happened to a push. */
  async function audit(asker: Asker, id: string): Promise<Card> {
    const who = await enter(asker);
    const urlToken = await pushes.tokenOf(who.owner, id);
    const [push, rows] = await Promise.all([pushes.peek(urlToken, who), pushes.auditLog(urlToken, 1, who)]);
    return words.audit(push, rows);
  }

  /** Hands a push that exists to more people. */
  async function send(asker: Asker, id: string, recipients: string[]): Promise<Card> {
    const who = await enter(asker);
    await pushes.share(
      who.owner,
      id,
      recipients.map((address) => ({ messenger: asker.speaker.platform, address })),
    );
    return say(['Sent to ', ...recipients.map((person) => ({ person })), '.']);
  }

  /** Asks somebody for a secret; gives the request too, so that they can be told. */
  async function request(
    asker: Asker,
    provider: Speaker,
    reason: string | null,
  ): Promise<{ card: Card; request: SecretRequest }> {
    await enter(asker);
    const made = await chat.requests.make(asker.speaker, provider, { reason });
    return { card: words.asked(made), request: made };
  }

  /** Makes a link to a page in the browser on which this person can make a push, once, within a quarter of an hour. */
  async function compose(asker: Asker): Promise<string> {
    await enter(asker);
    return pageOf('compose', await chat.links.make('compose', asker));
  }

  /** Makes a link that connects a browser, once, within ten minutes. */
  async function connect(asker: Asker): Promise<Card> {
    await enter(asker);
    const link = pageOf('connect', await chat.links.make('connect', asker.speaker));
    return words.connect(link);
  }

  return {
    formDefaults,
    push,
    pushText,
    list,
    newest,
    burn,
    extend,
    audit,
    send,
    request,
    compose,
    connect,
  };
}

function refuseBeyond(
  { maxViews, maxDays, requireRecipients }: Pick<FormDefaults, 'maxViews' | 'maxDays' | 'requireRecipients'>,
  wanted: { recipients: string[]; expireAfterViews: number; expireAfterDays: number },
): void {
  const fields: Record<string, string[]> = {};
  if (requireRecipients && wanted.recipients.length === 0) fields.recipients = ['must not be empty here'];
  if (wanted.expireAfterViews > maxViews) fields.expireAfterViews = [`must be at most ${maxViews} here`];
  if (wanted.expireAfterDays > maxDays) fields.expireAfterDays = [`must be at most ${maxDays} here`];
  const [first] = Object.entries(fields);
  if (first !== undefined) throw new DomainError('invalid', `${first[0]} ${first[1][0]}`, { fields });
}

/** The rules of a workspace as its admins may set them. */
export type Rules = WorkspaceSettings;

/** Words any error for the asker; `undefined` stands for a failure, which the caller logs. */
export function answerTo(error: unknown): Card | undefined {
  if (!(error instanceof DomainError)) return undefined;
  if (error.code === 'not_found') return words.gone;
  if (error.code === 'unavailable') return words.tryAgain;
  return say(error.message);
}
