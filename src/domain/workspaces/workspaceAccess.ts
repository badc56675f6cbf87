import { DomainError } from '../../errors.ts';
import {
  addressWorkspace,
  bindingWorkspace,
  type ChatCaller,
  type ChatUser,
  type Platform,
  requireAddresses,
  type Standing,
} from '../people/index.ts';
import type { ChatSettings, SetForWorkspace, WorkspaceSettings } from './settings.ts';

/**
 * Asks a chat for a user's role in a workspace. Undefined where it does not tell. With `fresh`, the answer is not one
 * that was given before.
 */
export type FindStanding = (
  chatUser: ChatUser,
  workspace: string,
  options?: { fresh?: boolean },
) => Promise<Standing | undefined>;

export type AccessRules = Pick<
  WorkspaceSettings,
  'onlyAdminsPush' | 'onlyMembersPush' | 'onlyMembersReceive'
>;

export type WorkspaceAccess = ReturnType<typeof createWorkspaceAccess>;

const isMember = (standing: Standing): boolean => standing === 'admin' || standing === 'member';

/** Who may push and receive in a workspace, by its rules, and who may change those. Outside of workspaces everybody may push. */
export function createWorkspaceAccess(
  settings: Pick<ChatSettings, 'ofWorkspace'>,
  setForWorkspace: SetForWorkspace,
) {
  const finders = new Map<Platform, FindStanding>();

  /** Throws `forbidden` if the chat does not tell, since rules depend on it. */
  async function standingOf(
    chatUser: ChatUser,
    workspace: string,
    options: { fresh?: boolean } = {},
  ): Promise<Standing> {
    const standing = await finders.get(chatUser.platform)?.(chatUser, workspace, options);
    if (standing === undefined) throw new DomainError('forbidden', 'standingUnknown');
    return standing;
  }

  /** Throws `forbidden` if the rules do not let the caller push. */
  async function requireMayPush(
    caller: ChatCaller,
    { onlyAdminsPush, onlyMembersPush }: AccessRules,
  ): Promise<void> {
    const { chatUser, standing } = caller;
    const workspace = bindingWorkspace(caller);
    if (workspace === '' || !(onlyAdminsPush || onlyMembersPush)) return;
    const own = standing ?? (await standingOf(chatUser, workspace));
    if (onlyAdminsPush ? own !== 'admin' : !isMember(own)) throw new DomainError('forbidden', 'mayNotPush');
  }

  /** Throws `invalid` if the rules do not let all of them receive what is pushed. */
  async function requireMayReceive(
    workspace: string,
    recipients: ChatUser[],
    { onlyMembersReceive }: AccessRules,
  ): Promise<void> {
    if (workspace === '' || !onlyMembersReceive) return;
    const standings = await Promise.all(recipients.map((each) => standingOf(each, workspace)));
    if (!standings.every(isMember))
      throw new DomainError('invalid', { problems: { recipients: [{ code: 'membersOnly' }] } });
  }

  /** Like `requireMayReceive`, for the recipients of a push that exists. */
  async function requireMaySend(caller: ChatCaller, recipients: ChatUser[]): Promise<void> {
    requireAddresses(recipients, 'recipients');
    const { chatUser } = caller;
    const workspace = bindingWorkspace(caller);
    const rules = await settings.ofWorkspace(chatUser.platform, workspace);
    await requireMayReceive(workspace, recipients, rules);
  }

  /** Throws `forbidden` if the rules do not let the caller open what was sent or shared there. */
  async function requireMayOpen(caller: ChatCaller): Promise<void> {
    const { chatUser, standing } = caller;
    const workspace = bindingWorkspace(caller);
    const { onlyMembersReceive } = await settings.ofWorkspace(chatUser.platform, workspace);
    if (workspace === '' || !onlyMembersReceive) return;
    if (!isMember(standing ?? (await standingOf(chatUser, workspace))))
      throw new DomainError('forbidden', 'mayNotOpen');
  }

  /** Whether the caller manages the workspace that they are in. The chat is asked now; throws `forbidden` if it does not tell. */
  async function isManager(caller: ChatCaller): Promise<boolean> {
    const { chatUser, standing } = caller;
    const workspace = bindingWorkspace(caller);
    if (workspace === '') return false;
    return (standing ?? (await standingOf(chatUser, workspace, { fresh: true }))) === 'admin';
  }

  /** Throws `forbidden` for everybody but those who manage the workspace that the caller is in, like `isManager`. */
  async function requireManager(caller: ChatCaller): Promise<void> {
    if (!(await isManager(caller))) throw new DomainError('forbidden', 'mayNotManage');
  }

  /** Replaces the rules of the caller's workspace. Throws `forbidden` like `requireManager`, and `invalid`. */
  async function saveRules(caller: ChatCaller, rules: WorkspaceSettings): Promise<void> {
    await requireManager(caller);
    const { chatUser } = caller;
    const workspace = bindingWorkspace(caller);
    const installation = addressWorkspace(chatUser) || workspace;
    await setForWorkspace(chatUser.platform, workspace, rules, installation);
  }

  return {
    isManager,
    requireManager,
    saveRules,
    requireMayPush,
    requireMayReceive,
    requireMaySend,
    requireMayOpen,
    /** Lets the adapter of a chat say what people are there. */
    connect: (platform: Platform, find: FindStanding) => void finders.set(platform, find),
  };
}
