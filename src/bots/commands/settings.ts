import type { ChatCaller, Domain, WorkspaceSettings } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { ChatUserSettings } from '../forms/settings.ts';
import { cardsOf } from '../language.ts';

/** Commands that read and save settings. */
export function createSettingsCommands({ chat, accounts }: Pick<Domain, 'chat' | 'accounts'>) {
  async function settings(caller: ChatCaller): Promise<ChatUserSettings> {
    const { account } = await chat.admit(caller);
    const { chatUser } = caller;
    const [personal, rules] = await Promise.all([
      chat.settings.ofUser(chatUser),
      chat.settings.ofCaller(caller),
    ]);
    return { personal, notices: accounts.noticePreferencesOf(account), workspace: rules };
  }

  /** Refuses numbers out of bounds, and rules from users who do not manage the workspace. */
  async function saveSettings(
    caller: ChatCaller,
    { personal, notices, workspace }: Partial<ChatUserSettings>,
  ): Promise<Card> {
    const { account } = await chat.admit(caller);
    const { chatUser } = caller;
    if (workspace !== undefined) await chat.access.saveRules(caller, workspace);
    if (personal !== undefined) await chat.settings.setForUser(chatUser, personal);
    if (notices !== undefined) await accounts.setNoticePreferences(account, notices);
    return cardsOf(caller).saved;
  }

  /** The rules of the caller's workspace. Refuses users who do not manage it. */
  async function rules(caller: ChatCaller): Promise<WorkspaceSettings> {
    await chat.admit(caller);
    await chat.access.requireManager(caller);
    return chat.settings.ofCaller(caller);
  }

  return { settings, saveSettings, rules };
}
