import type { Tx } from '../../database/database.ts';
import { unavailable } from '../../errors.ts';
import { dayMs } from '../../time.ts';
import type { IncomingFile } from '../files/index.ts';
import {
  bindingWorkspace,
  type ChatCaller,
  distinctUsers,
  orOutside,
  requireAddresses,
} from '../people/index.ts';
import type { NewPushRecipient, Push, Pushes } from '../pushes/index.ts';
import type { Requests, SecretRequest } from '../requests/index.ts';
import { type WorkspaceAccess, workspacePushesTable } from '../workspaces/index.ts';
import type { Admit } from './admission.ts';
import { readEmails } from './emails.ts';
import type { FormDefaultsReader } from './formDefaults.ts';
import type { Identities } from './identities/identities.ts';
import { type PushForm, requireWithinRules, toPushInput, viewsPerRecipient } from './pushForm.ts';

export type ChatPushOptions = {
  recipients?: NewPushRecipient[] | undefined;
  /** The request that the push answers. Its requester becomes a recipient too. */
  requestId?: string | undefined;
  /** Read one after the other. Refused if the account may not attach files. */
  files?: AsyncIterable<IncomingFile> | undefined;
  /** When aborted, no push is created, or the created one is withdrawn. */
  signal?: AbortSignal | undefined;
};

type Dependencies = {
  admit: Admit;
  access: WorkspaceAccess;
  formDefaults: FormDefaultsReader['formDefaults'];
  identities: Identities;
  requests: Requests;
  pushes: Pushes;
};

export type ChatPushes = ReturnType<typeof createChatPushes>;

/** Creates pushes from a chat, for the caller's account and by the rules of their workspace. */
export function createChatPushes({
  admit,
  access,
  formDefaults,
  identities,
  requests,
  pushes,
}: Dependencies) {
  /**
   * Creates a push from a form and shares it with its recipients. Throws like `admit`, `invalid` if the workspace
   * does not allow it, and `not_found` if the request has ended.
   */
  async function create(
    caller: ChatCaller,
    form: PushForm,
    { files, signal, ...options }: ChatPushOptions = {},
  ): Promise<Push> {
    const checked = await check(caller, form, options);
    const { admitted, input, lifetimeMaxMs, request } = checked;
    await using creation = await pushes.begin(admitted);
    for await (const file of files ?? []) await creation.addFile(file);
    const push = await creation.create(input, {
      lifetimeMaxMs,
      async inTransaction(tx, pushId) {
        await share(checked, pushId, tx);
        if (signal?.aborted) throw unavailable('createTooSlow');
      },
    });
    if (signal?.aborted) {
      await pushes.withdraw(admitted.account, push.id, async (tx) => {
        if (request !== undefined) await requests.reopen(request.id, tx);
      });
      throw unavailable('createTooSlow');
    }
    return push;
  }

  /** Admits the caller, and validates the form by the rules of the workspace. */
  async function check(
    caller: ChatCaller,
    form: PushForm,
    { recipients = [], requestId }: Pick<ChatPushOptions, 'recipients' | 'requestId'>,
  ) {
    const { chatUser } = caller;
    requireAddresses(recipients, 'recipients');
    const asked = requestId === undefined ? undefined : requests.requireOpen(requestId, chatUser);
    const workspace = await workspaceOf(caller, asked);
    const [admitted, defaults, request] = await Promise.all([
      admit(caller),
      formDefaults({ chatUser, workspace: orOutside(workspace) }),
      asked,
    ]);
    const allRecipients = distinctUsers(
      request === undefined ? recipients : [...recipients, request.requester],
    );
    const emails = readEmails(form.emails, pushes.settings, defaults);
    const named = allRecipients.length + emails.length;
    const input = toPushInput(form, defaults, named);
    await access.requireMayPush({ ...caller, workspace: orOutside(workspace) }, defaults.access ?? {});
    requireWithinRules(defaults, input, named);
    await access.requireMayReceive(workspace, allRecipients, defaults.access ?? {});
    await pushes.admitMails(admitted.account, emails, 'emails');
    const { workspaceMaxDays } = defaults;
    const lifetimeMaxMs = workspaceMaxDays === undefined ? null : workspaceMaxDays * dayMs;
    const invitation = {
      viewsPerRecipient: viewsPerRecipient(form, defaults, named),
      isBound: defaults.requireBound || (form.isBound ?? true),
    };
    const locale = caller.locale ?? null;
    const shared = { recipients: allRecipients, emails, locale, invitation, request };
    return { chatUser, workspace, admitted, input, lifetimeMaxMs, ...shared };
  }

  /** Somebody who answers a request outside of any workspace does so in that where it was asked. */
  async function workspaceOf(
    caller: ChatCaller,
    request: Promise<SecretRequest> | undefined,
  ): Promise<string> {
    return bindingWorkspace(caller) || ((await request)?.workspace ?? '');
  }

  /** Runs in the transaction that creates the push. */
  async function share(
    { chatUser, workspace, admitted, recipients, emails, locale, invitation, request }: CheckedPush,
    pushId: Buffer,
    tx: Tx,
  ): Promise<void> {
    await identities.requireAccount(chatUser, admitted.account, tx);
    if (workspace !== '') await tx.model(workspacePushesTable).create({ pushId, workspace, ...chatUser });
    if (recipients.length > 0) await pushes.invite(pushId, recipients, invitation, tx);
    if (emails.length > 0) {
      const invited = await pushes.toInvitations(admitted.account, emails, { needsCode: true, locale }, tx);
      await pushes.invite(pushId, invited, { ...invitation, isBound: false }, tx); // a code binds them
    }
    if (request !== undefined) await requests.close(request.id, 'provided', tx);
  }

  type CheckedPush = Awaited<ReturnType<typeof check>>;

  return { create, check, share };
}
