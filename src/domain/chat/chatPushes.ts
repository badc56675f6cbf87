import type { Transaction } from 'sequelize';
import { DomainError, unavailable } from '../../errors.ts';
import type { Owner } from '../accounts/accounts.ts';
import type { Visit } from '../audit/audit.ts';
import type { Limits } from '../limits.ts';
import type { Outbox } from '../notices/outbox.ts';
import { decodeChoice, everyNotice, type NoticeChoice } from '../notices/preferences.ts';
import type { Push } from '../pushes/push.ts';
import type { Pushes, TakeFile } from '../pushes/pushes.ts';
import { isLeftOut } from '../pushes/pushSchema.ts';
import type { Bounds, PushSettings } from '../settings.ts';
import { type Asker, accountNameOf, asRecipient, type Speaker, workspaceIn } from './chatUser.ts';
import type { Deduplication } from './deduplication.ts';
import type { Identities } from './identities.ts';
import type { OneTimeLinks } from './oneTimeLinks.ts';
import type { Requests } from './requests.ts';
import type { ChatSettings } from './settings.ts';

/** What a form offers to somebody, somewhere, before they fill it in. */
export type FormDefaults = {
  views: number;
  days: number;
  maxViews: number;
  maxDays: number;
  requireRecipients: boolean;
  notices: NoticeChoice;
};

/** What somebody filled into a form; absent is what they left alone. */
export type Form = {
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
export type ReadForm = (take: TakeFile, owner: Owner) => Promise<Form>;

/** What a push made in a chat is for. */
export type Purpose = {
  /** Whom it is handed to. */
  recipients?: Speaker[] | undefined;
  /** The request that it answers, whose requester is handed it. */
  answering?: string | undefined;
  /** What comes with it, one after the other; refused where the account may not attach files. */
  files?: AsyncIterable<Parameters<TakeFile>[0]> | undefined;
  /** Once aborted, nothing is made any more, and what was made is undone. */
  signal?: AbortSignal | undefined;
};

/** What a link to the page of a form remembers of where it was asked for. */
export type Composing = Pick<Asker, 'speaker' | 'workspace'> & {
  /** Whom it is to be handed to, as far as that was chosen. */
  recipients?: Speaker[] | undefined;
  answering?: string | undefined;
  /** Where the platform takes an answer to the conversation. */
  replyTo?: string | undefined;
};

type Parts = {
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

/** How pushes are made in a chat: for the account of who speaks, as their workspace allows. */
export function createMaking(parts: Parts) {
  const { identities, settings, requests, links, deduplication, pushes, outbox, limits, pushSettings } =
    parts;
  let composed = (_composing: Composing, _push: Push) => {};

  /**
   * Lets somebody act: gives their account, making it when they are new. Refuses with `too_many` who does too much, and
   * with `conflict` what the platform tells again of an act that was heard of already.
   */
  async function enter({ speaker, occasion }: Asker): Promise<{ owner: Owner; visit: Visit }> {
    const [owner, isNew] = await Promise.all([
      identities.ownerOf(speaker),
      occasion === undefined || deduplication.isNew(`${speaker.platform} ${occasion}`),
      limits.consume('commands', { name: accountNameOf(speaker) }),
    ]);
    if (!isNew) throw new DomainError('conflict', 'This was done already.');
    return { owner, visit: visitOf(speaker) };
  }

  /** What a form is to show where nobody can be asked what this person, or this workspace, wants. */
  function plainDefaults(): FormDefaults {
    const { defaults, bounds } = pushSettings;
    return {
      views: defaults.expireAfterViews,
      days: defaults.expireAfterDays,
      maxViews: bounds.expireAfterViews.max,
      maxDays: bounds.expireAfterDays.max,
      requireRecipients: false,
      notices: everyNotice,
    };
  }

  /** What a form is to show to somebody, somewhere. */
  async function formDefaults({ speaker, workspace }: Asker): Promise<FormDefaults> {
    const [owner, person, rules] = await Promise.all([
      identities.maybeOwner(speaker),
      settings.ofPerson(speaker),
      settings.ofWorkspace(speaker.platform, workspace),
    ]);
    const { defaults, bounds } = pushSettings;
    const maxViews = within(bounds.expireAfterViews, rules.maxViews ?? Number.POSITIVE_INFINITY);
    const maxDays = within(bounds.expireAfterDays, rules.maxDays ?? Number.POSITIVE_INFINITY);
    const views = person.expireAfterViews ?? rules.expireAfterViews ?? defaults.expireAfterViews;
    const days = person.expireAfterDays ?? rules.expireAfterDays ?? defaults.expireAfterDays;
    return {
      views: within({ ...bounds.expireAfterViews, max: maxViews }, views),
      days: within({ ...bounds.expireAfterDays, max: maxDays }, days),
      maxViews,
      maxDays,
      requireRecipients: rules.requireRecipients,
      notices: owner === undefined ? everyNotice : decodeChoice(owner.notify),
    };
  }

  /**
   * Makes a push of a filled form, and hands it to its recipients. It always has the retrieval step, since chats look into
   * links. Refuses what the workspace does not allow with `invalid`, naming each field; what `enter` refuses; and with
   * `not_found` a request that has ended.
   */
  async function make(asker: Asker, form: Form, purpose: Purpose = {}): Promise<Push> {
    const order = await place(asker, form, purpose);
    const { who, wanted, request } = order;
    const { signal, files } = purpose;
    const options = {
      async alongside(transaction: Transaction, id: Buffer) {
        await handOver(asker, who.owner, order, id, transaction);
        if (signal?.aborted) throw tooLate();
      },
    };
    const push = await (files === undefined
      ? pushes.create(wanted, who, options)
      : pushes.receive(who, (take) => takeAll(files, take).then(() => wanted), options));
    if (signal?.aborted) {
      await pushes.withdraw(who.owner, push.id, async (transaction) => {
        if (request !== undefined) await requests.reopen(request.id, transaction);
      });
      throw tooLate();
    }
    outbox.announce();
    return push;
  }

  /** Lets somebody act, and checks what they filled in against what they may. */
  async function place(asker: Asker, form: Form, { recipients = [], answering }: Purpose) {
    const [who, defaults, request] = await Promise.all([
      enter(asker),
      formDefaults(asker),
      answering === undefined ? undefined : requests.requireOpen(answering, asker.speaker),
    ]);
    const to = request === undefined ? recipients : [...recipients, request.requester];
    const wanted = wantedOf(form, defaults);
    refuseBeyond(defaults, wanted, to);
    return { who, wanted, to, request };
  }

  /** What belongs into the transaction that makes a push of a chat. */
  async function handOver(
    { speaker }: Asker,
    owner: Owner,
    { to, request }: Pick<Order, 'to' | 'request'>,
    id: Buffer,
    transaction: Transaction,
  ): Promise<void> {
    await identities.requireOwner(speaker, owner, transaction);
    await outbox.send('shared', id, to.map(asRecipient), transaction);
    if (request !== undefined) await requests.close(request.id, 'provided', transaction);
  }

  type Order = Awaited<ReturnType<typeof place>>;

  /** A link to a page on which somebody can make a push once, within a quarter of an hour; it works once `keep` is done. */
  const prepareComposing = (composing: Composing) => links.prepare('compose', composing);

  /** A link to the page on which an account answers what somebody in its chats was asked for; refuses with `not_found`. */
  async function answerInBrowser(owner: Owner, request: string): Promise<string> {
    const speaker = await requests.speakerFor(owner, request, 'provider');
    return links.make('compose', {
      speaker,
      workspace: workspaceIn(speaker),
      answering: request,
    } satisfies Composing);
  }

  /** Has the push of a compose link handed to people who were chosen since the link was shown. */
  async function addressComposing(token: string, recipients: Speaker[]): Promise<void> {
    const composing = await links.look<Composing>('compose', token);
    await links.amend('compose', token, { ...composing, recipients });
  }

  /**
   * What a compose link is for, who composes (null when they are new), and what their form is to show; `not_found` once it
   * was used or is too old.
   */
  async function lookAtComposing(
    token: string,
  ): Promise<{ composing: Composing; owner: Owner | null; defaults: FormDefaults }> {
    const composing = await links.look<Composing>('compose', token);
    const [owner = null, defaults] = await Promise.all([
      identities.maybeOwner(composing.speaker),
      formDefaults(composing),
    ]);
    return { composing, owner, defaults };
  }

  /**
   * Makes the push of a compose link, uses the link up, and tells who composed in their chat. Refuses like `make`. A form
   * that is still to be read may bring files; one whose files are refused does not count as a command. `isSent` says
   * whether somebody is told of the push.
   */
  async function compose(token: string, form: Form | ReadForm): Promise<{ push: Push; isSent: boolean }> {
    const composing = await links.look<Composing>('compose', token);
    const { speaker, recipients, answering } = composing;
    const read = typeof form === 'function' ? form : async () => form;
    const owner = await identities.ownerOf(speaker);
    let order: Order | undefined;
    const push = await pushes.receive(
      { owner, visit: visitOf(speaker) },
      async (take) => {
        order = await place(composing, await read(take, owner), { recipients, answering });
        return order.wanted;
      },
      {
        async alongside(transaction, id) {
          if (order !== undefined) await handOver(composing, owner, order, id, transaction);
          await links.use(token, transaction);
          await outbox.send('composed', id, [asRecipient(speaker)], transaction);
        },
      },
    );
    outbox.announce();
    composed(composing, push);
    return { push, isSent: (order?.to.length ?? 0) > 0 };
  }

  return {
    enter,
    plainDefaults,
    formDefaults,
    make,
    prepareComposing,
    answerInBrowser,
    addressComposing,
    lookAtComposing,
    compose,
    /** Has `act` called when a push was made on the page of a link, by this process. */
    whenComposed: (act: typeof composed) => {
      composed = act;
    },
  };
}

async function takeAll(files: NonNullable<Purpose['files']>, take: TakeFile): Promise<void> {
  for await (const file of files) await take(file);
}

function visitOf({ platform }: Speaker): Visit {
  const userAgent = { slack: 'Slack', discord: 'Discord' }[platform];
  return { ip: '', userAgent, referrer: '', isPreviewer: false };
}

/** The nearest number that is allowed: what somebody chose once may not be any more. */
function within({ min, max }: Bounds, wanted: number): number {
  return Math.max(min, Math.min(max, wanted));
}

type Wanted = Form & Required<Pick<Form, 'expireAfterViews'>>;

/** A form with what it leaves to the defaults. Nothing but what forms have gets through. */
function wantedOf(form: Form, { views, days }: FormDefaults): Wanted & { retrievalStep: true } {
  const { kind, payload, passphrase, name, note, deletableByViewer, notify } = form;
  const expireAfterViews = said(form.expireAfterViews) ?? views;
  const [expireAfterHours, expireAfterMinutes] = [said(form.expireAfterHours), said(form.expireAfterMinutes)];
  const isShort = expireAfterHours !== undefined || expireAfterMinutes !== undefined;
  const lifetime = isShort
    ? { expireAfterHours, expireAfterMinutes }
    : { expireAfterDays: said(form.expireAfterDays) ?? days };
  const texts = { kind, payload, passphrase, name, note };
  return { ...texts, ...lifetime, expireAfterViews, deletableByViewer, notify, retrievalStep: true };
}

/** What the service would take as left out must come from here: its own defaults may be beyond what a workspace allows. */
const said = (value: number | string | undefined) => (isLeftOut(value) ? undefined : value);

function refuseBeyond(
  { maxViews, maxDays, requireRecipients }: FormDefaults,
  { expireAfterViews, expireAfterDays = 0, expireAfterHours = 0, expireAfterMinutes = 0 }: Wanted,
  recipients: Speaker[],
): void {
  const days =
    Number(expireAfterDays) + Number(expireAfterHours) / 24 + Number(expireAfterMinutes) / minutesOfDay;
  const fields: Record<string, string[]> = {};
  if (requireRecipients && recipients.length === 0) fields.recipients = ['must not be empty here'];
  if (Number(expireAfterViews) > maxViews) fields.expireAfterViews = [`must be at most ${maxViews} here`];
  if (days > maxDays) fields.expireAfterDays = [`must be at most ${maxDays} here`];
  const [first] = Object.entries(fields);
  if (first !== undefined) throw new DomainError('invalid', `${first[0]} ${first[1][0]}`, { fields });
}

const minutesOfDay = 1_440;

function tooLate(): DomainError {
  return unavailable('That took too long. Nothing was made.');
}
