import type { Bounds, FileSettings, PushSettings } from '../base/index.ts';
import { canAttachFiles } from '../files/index.ts';
import { allNotices, decodePreferences, type NoticePreferences } from '../outbox/index.ts';
import { bindingWorkspace, type ChatCaller } from '../people/index.ts';
import type { AccessRules, ChatSettings } from '../workspaces/index.ts';
import type { Identities } from './identities/identities.ts';

/** What the form of a push offers, by the rules of the workspace and the user's own settings. */
export type FormDefaults = {
  views: number;
  /** The views of a push for one person, where no number is chosen. */
  viewsForOne: number;
  days: number;
  maxViews: number;
  maxDays: number;
  /** The workspace's own limit, which also bounds how far a push can be extended. */
  workspaceMaxDays?: number | undefined;
  requireRecipients: boolean;
  /** Whether the user may attach files. */
  canAttachFiles: boolean;
  /** Whether links may go to e-mail addresses. */
  canMail: boolean;
  requireBound: boolean;
  /** Who may push and receive in the workspace. */
  access?: AccessRules;
  notices: NoticePreferences;
};

type Dependencies = {
  identities: Pick<Identities, 'maybeAccount'>;
  settings: ChatSettings;
  pushSettings: PushSettings;
  fileSettings: FileSettings;
};

export type FormDefaultsReader = ReturnType<typeof createFormDefaults>;

export function createFormDefaults({ identities, settings, pushSettings, fileSettings }: Dependencies) {
  const { defaults, bounds } = pushSettings;

  /** Used while the database is unreachable. */
  const fallbackDefaults = (): FormDefaults => ({
    views: defaults.expireAfterViews,
    viewsForOne: bounds.expireAfterViews.min,
    days: defaults.expireAfterDays,
    maxViews: bounds.expireAfterViews.max,
    maxDays: bounds.expireAfterDays.max,
    requireRecipients: false,
    canAttachFiles: canAttachFiles(null, fileSettings),
    canMail: false,
    requireBound: false,
    notices: allNotices,
  });

  async function formDefaults(caller: Pick<ChatCaller, 'chatUser' | 'workspace'>): Promise<FormDefaults> {
    const { chatUser } = caller;
    const [account, personal, rules] = await Promise.all([
      identities.maybeAccount(chatUser),
      settings.ofUser(chatUser),
      settings.ofWorkspace(chatUser.platform, bindingWorkspace(caller)),
    ]);
    const maxViews = clamp(bounds.expireAfterViews, rules.maxViews ?? Number.POSITIVE_INFINITY);
    const maxDays = clamp(bounds.expireAfterDays, rules.maxDays ?? Number.POSITIVE_INFINITY);
    const ownViews = personal.expireAfterViews ?? rules.expireAfterViews;
    const views = clamp({ ...bounds.expireAfterViews, max: maxViews }, ownViews ?? defaults.expireAfterViews);
    const days = personal.expireAfterDays ?? rules.expireAfterDays ?? defaults.expireAfterDays;
    return {
      views,
      viewsForOne: ownViews === undefined ? bounds.expireAfterViews.min : views,
      days: clamp({ ...bounds.expireAfterDays, max: maxDays }, days),
      maxViews,
      maxDays,
      workspaceMaxDays: rules.maxDays === undefined ? undefined : maxDays,
      requireRecipients: rules.requireRecipients,
      canAttachFiles: canAttachFiles(account ?? null, fileSettings),
      canMail: pushSettings.mailDomains !== null && !rules.onlyMembersReceive,
      requireBound: rules.requireBound ?? false,
      access: rules,
      notices: account === undefined ? allNotices : decodePreferences(account.notify),
    };
  }

  return { fallbackDefaults, formDefaults };
}

/** Returns the nearest allowed number. A saved setting may no longer be allowed. */
const clamp = ({ min, max }: Bounds, value: number): number => Math.max(min, Math.min(max, value));
