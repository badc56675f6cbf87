import type { Tx } from '../../database/database.ts';
import { DomainError, type Problems, unavailable } from '../../errors.ts';
import type { Account } from '../accounts/accounts.ts';
import type { ClientInfo } from '../audit/audit.ts';
import type { Limits } from '../limits.ts';
import type { Outbox } from '../notices/outbox.ts';
import { allNotices, decodePreferences, type NoticePreferences } from '../notices/preferences.ts';
import type { Push } from '../pushes/push.ts';
import type { Pushes, TakeFile } from '../pushes/pushes.ts';
import { isOmitted } from '../pushes/pushSchema.ts';
import type { Requests } from '../requests/requests.ts';
import type { Bounds, PushSettings } from '../settings.ts';
import { accountNameOf, addressWorkspace, type ChatCaller, type ChatUser, toRecipient } from './chatUser.ts';
import type { Deduplication } from './deduplication.ts';
import type { Identities } from './identities/identities.ts';
import type { OneTimeLinks } from './oneTimeLinks.ts';
import type { ChatSettings } from './settings.ts';

/** What a form offers to somebody, somewhere, before they fill it in. */
export type FormDefaults = {
  views: number;
  days: number;
  maxViews: number;
  maxDays: number;
  requireRecipients: boolean;
  notices: NoticePreferences;
};

/** What somebody filled into a form; absent is what they left alone. */
export type PushForm = {
  kind?: string | undefined;
  payload: string;
  expireAfterViews?: number | string | undefined;
  expireAfterDays?: number | string | undefined;
  /** Instead of days. */
  expireAfterHours?: number | string | undefined;
  expireAfterMinutes?: number | string | undefined;
  passphrase?: string | undefined;
  name?: string | undefined;
  note?: string | undefined;
  deletableByViewer?: boolean | undefined;
  notify?: object | undefined;
};

/** Reads a form that may bring files: they go to `take` while they come, if their owner may attach any. */
export type ReadPushForm = (take: TakeFile, account: Account) => Promise<PushForm>;

/** What a push made in a chat is for. */
export type ChatPushOptions = {
  /** Whom it is handed to. */
  recipients?: ChatUser[] | undefined;
  /** The request that it answers, whose requester is handed it. */
  requestId?: string | undefined;
  /** What comes with it, one after the other; refused where the account may not attach files. */
  files?: AsyncIterable<Parameters<TakeFile>[0]> | undefined;
  /** Once aborted, nothing is made any more, and what was made is undone. */
  signal?: AbortSignal | undefined;
};

/** What a link to the page of a form remembers of where it was asked for. */
export type ComposeContext = Pick<ChatCaller, 'chatUser' | 'workspace'> & {
  /** Whom it is to be handed to, as far as that was chosen. */
  recipients?: ChatUser[] | undefined;
  requestId?: string | undefined;
  /** Where the platform takes an answer to the conversation. */
  replyTo?: string | undefined;
};

type Dependencies = {
  identities: Identities;
  settings: ChatSettings;
  requests: Requests;
  links: OneTimeLinks;
  deduplication: Deduplication;
  pushes: Pushes;
  outbox: Outbox;
  limits: Limits;
  pushSettings: PushSettings;
};

type ComposedListener = (context: ComposeContext, push: Push) => void;

/** How pushes are made in a chat: for the account of who speaks, as their workspace allows. */
export function createChatPushes(dependencies: Dependencies) {
  const { identities, settings, requests, links, deduplication, pushes, outbox, limits, pushSettings } =
    dependencies;
  const composedListeners = new Set<ComposedListener>();

  /**
   * Lets somebody act: gives their account, making it when they are new. Refuses with `too_many` who does too much, and
   * with `conflict` what the platform tells again of an act that was heard of already.
   */
  async function admit({
    chatUser,
    idempotencyKey,
  }: ChatCaller): Promise<{ account: Account; client: ClientInfo }> {
    const [account, isNew] = await Promise.all([
      identities.accountOf(chatUser),
      idempotencyKey === undefined || deduplication.isNew(`${chatUser.platform} ${idempotencyKey}`),
      limits.consume('commands', { name: accountNameOf(chatUser) }),
    ]);
    if (!isNew) throw new DomainError('conflict', 'alreadyDone');
    return { account, client: chatClientOf(chatUser) };
  }

  /** What a form is to show where nobody can be asked what this person, or this workspace, wants. */
  function fallbackDefaults(): FormDefaults {
    const { defaults, bounds } = pushSettings;
    return {
      views: defaults.expireAfterViews,
      days: defaults.expireAfterDays,
      maxViews: bounds.expireAfterViews.max,
      maxDays: bounds.expireAfterDays.max,
      requireRecipients: false,
      notices: allNotices,
    };
  }

  /** What a form is to show to somebody, somewhere. */
  async function formDefaults({ chatUser, workspace }: ChatCaller): Promise<FormDefaults> {
    const [account, person, rules] = await Promise.all([
      identities.maybeAccount(chatUser),
      settings.ofUser(chatUser),
      settings.ofWorkspace(chatUser.platform, workspace),
    ]);
    const { defaults, bounds } = pushSettings;
    const maxViews = clamp(bounds.expireAfterViews, rules.maxViews ?? Number.POSITIVE_INFINITY);
    const maxDays = clamp(bounds.expireAfterDays, rules.maxDays ?? Number.POSITIVE_INFINITY);
    const views = person.expireAfterViews ?? rules.expireAfterViews ?? defaults.expireAfterViews;
    const days = person.expireAfterDays ?? rules.expireAfterDays ?? defaults.expireAfterDays;
    return {
      views: clamp({ ...bounds.expireAfterViews, max: maxViews }, views),
      days: clamp({ ...bounds.expireAfterDays, max: maxDays }, days),
      maxViews,
      maxDays,
      requireRecipients: rules.requireRecipients,
      notices: account === undefined ? allNotices : decodePreferences(account.notify),
    };
  }

  /**
   * Makes a push of a filled form, and hands it to its recipients. It always has the retrieval step, since chats look into
   * links. Refuses what the workspace does not allow with `invalid`, naming each field; what `enter` refuses; and with
   * `not_found` a request that has ended.
   */
  async function create(caller: ChatCaller, form: PushForm, purpose: ChatPushOptions = {}): Promise<Push> {
    const order = await place(caller, form, purpose);
    const { who, input, request } = order;
    const { signal, files } = purpose;
    const options = {
      async inTransaction(tx: Tx, id: Buffer) {
        await handOver(caller, who.account, order, id, tx);
        if (signal?.aborted) throw timedOut();
      },
    };
    const push = await (files === undefined
      ? pushes.create(input, who, options)
      : pushes.receive(who, (take) => takeAll(files, take).then(() => input), options));
    if (signal?.aborted) {
      await pushes.withdraw(who.account, push.id, async (tx) => {
        if (request !== undefined) await requests.reopen(request.id, tx);
      });
      throw timedOut();
    }
    return push;
  }

  /** Lets somebody act, and checks what they filled in against what they may. */
  async function place(caller: ChatCaller, form: PushForm, { recipients = [], requestId }: ChatPushOptions) {
    const [who, defaults, request] = await Promise.all([
      admit(caller),
      formDefaults(caller),
      requestId === undefined ? undefined : requests.requireOpen(requestId, caller.chatUser),
    ]);
    const to = request === undefined ? recipients : [...recipients, request.requester];
    const input = toPushInput(form, defaults);
    requireWithinRules(defaults, input, to);
    return { who, input, to, request };
  }

  /** What belongs into the transaction that makes a push of a chat. */
  async function handOver(
    { chatUser }: ChatCaller,
    account: Account,
    { to, request }: Pick<Order, 'to' | 'request'>,
    id: Buffer,
    tx: Tx,
  ): Promise<void> {
    await identities.requireAccount(chatUser, account, tx);
    await outbox.send('shared', id, to.map(toRecipient), tx);
    if (request !== undefined) await requests.close(request.id, 'provided', tx);
  }

  type Order = Awaited<ReturnType<typeof place>>;

  /** A link to a page on which somebody can make a push once, within a quarter of an hour; it works once `keep` is done. */
  const prepareComposeLink = (context: ComposeContext) => links.prepare('compose', context);

  /** A link to the page on which an account answers what somebody in its chats was asked for; refuses with `not_found`. */
  async function createProvideLink(account: Account, request: string): Promise<string> {
    const chatUser = await requests.chatUserFor(account, request, 'provider');
    return links.create('compose', {
      chatUser,
      workspace: addressWorkspace(chatUser),
      requestId: request,
    } satisfies ComposeContext);
  }

  /** Has the push of a compose link handed to people who were chosen since the link was shown. */
  async function setComposeRecipients(token: string, recipients: ChatUser[]): Promise<void> {
    const context = await links.read<ComposeContext>('compose', token);
    await links.update('compose', token, { ...context, recipients });
  }

  /**
   * What a compose link is for, who composes (null when they are new), and what their form is to show; `not_found` once it
   * was used or is too old.
   */
  async function previewCompose(
    token: string,
  ): Promise<{ context: ComposeContext; account: Account | null; defaults: FormDefaults }> {
    const context = await links.read<ComposeContext>('compose', token);
    const [account = null, defaults] = await Promise.all([
      identities.maybeAccount(context.chatUser),
      formDefaults(context),
    ]);
    return { context, account, defaults };
  }

  /**
   * Makes the push of a compose link, uses the link up, and tells who composed in their chat. Refuses like `make`. A form
   * that is still to be read may bring files; one whose files are refused does not count as a command. `isSent` says
   * whether somebody is told of the push.
   */
  async function compose(
    token: string,
    form: PushForm | ReadPushForm,
  ): Promise<{ push: Push; isSent: boolean }> {
    const context = await links.read<ComposeContext>('compose', token);
    const { chatUser, recipients, requestId } = context;
    const read = typeof form === 'function' ? form : async () => form;
    const account = await identities.accountOf(chatUser);
    let order: Order | undefined;
    const push = await pushes.receive(
      { account, client: chatClientOf(chatUser) },
      async (take) => {
        order = await place(context, await read(take, account), { recipients, requestId });
        return order.input;
      },
      {
        async inTransaction(tx, id) {
          if (order !== undefined) await handOver(context, account, order, id, tx);
          await links.consume(token, tx);
          await outbox.send('composed', id, [toRecipient(chatUser)], tx);
        },
      },
    );
    for (const listener of composedListeners) listener(context, push);
    return { push, isSent: (order?.to.length ?? 0) > 0 };
  }

  return {
    admit,
    fallbackDefaults,
    formDefaults,
    create,
    prepareComposeLink,
    createProvideLink,
    setComposeRecipients,
    previewCompose,
    compose,
    /** Calls a listener when this process created a push from a compose link. Gives the way to remove it. */
    onComposed: (listener: ComposedListener) => {
      composedListeners.add(listener);
      return () => composedListeners.delete(listener);
    },
  };
}

async function takeAll(files: NonNullable<ChatPushOptions['files']>, take: TakeFile): Promise<void> {
  for await (const file of files) await take(file);
}

function chatClientOf({ platform }: ChatUser): ClientInfo {
  const userAgent = { slack: 'Slack', discord: 'Discord' }[platform];
  return { ip: '', userAgent, referrer: '', isPreviewer: false };
}

/** The nearest number that is allowed: what somebody chose once may not be any more. */
function clamp({ min, max }: Bounds, input: number): number {
  return Math.max(min, Math.min(max, input));
}

type PushInput = PushForm & Required<Pick<PushForm, 'expireAfterViews'>>;

/** A form with what it leaves to the defaults. Nothing but what forms have gets through. */
function toPushInput(form: PushForm, { views, days }: FormDefaults): PushInput & { retrievalStep: true } {
  const { kind, payload, passphrase, name, note, deletableByViewer, notify } = form;
  const expireAfterViews = maybeGiven(form.expireAfterViews) ?? views;
  const [expireAfterHours, expireAfterMinutes] = [
    maybeGiven(form.expireAfterHours),
    maybeGiven(form.expireAfterMinutes),
  ];
  const isShort = expireAfterHours !== undefined || expireAfterMinutes !== undefined;
  const lifetime = isShort
    ? { expireAfterHours, expireAfterMinutes }
    : { expireAfterDays: maybeGiven(form.expireAfterDays) ?? days };
  const texts = { kind, payload, passphrase, name, note };
  return { ...texts, ...lifetime, expireAfterViews, deletableByViewer, notify, retrievalStep: true };
}

/** What the service would take as left out must come from here: its own defaults may be beyond what a workspace allows. */
const maybeGiven = (value: number | string | undefined) => (isOmitted(value) ? undefined : value);

function requireWithinRules(
  { maxViews, maxDays, requireRecipients }: FormDefaults,
  { expireAfterViews, expireAfterDays = 0, expireAfterHours = 0, expireAfterMinutes = 0 }: PushInput,
  recipients: ChatUser[],
): void {
  const days =
    Number(expireAfterDays) + Number(expireAfterHours) / 24 + Number(expireAfterMinutes) / minutesOfDay;
  const problems: Problems = {};
  if (requireRecipients && recipients.length === 0) problems.recipients = [{ code: 'requiredByWorkspace' }];
  if (Number(expireAfterViews) > maxViews)
    problems.expireAfterViews = [{ code: 'workspaceMax', max: maxViews }];
  if (days > maxDays) problems.expireAfterDays = [{ code: 'workspaceMax', max: maxDays }];
  if (Object.keys(problems).length > 0) throw new DomainError('invalid', { problems });
}

const minutesOfDay = 1_440;

function timedOut(): DomainError {
  return unavailable('createTooSlow');
}
