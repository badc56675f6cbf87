import { addressWorkspace, type ChatCaller, type Domain } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { ChatUserSettings } from '../forms/settings.ts';
import { cardsOf } from '../language.ts';

/** Commands that read and save settings. */
export function createSettingsCommands({ chat, accounts }: Pick<Domain, 'chat' | 'accounts'>) {
  async function settings(caller: ChatCaller): Promise<ChatUserSettings> {
    const { account } = await chat.admit(caller);
    const { chatUser, workspace } = caller;
    const [personal, rules] = await Promise.all([
      chat.settings.ofUser(chatUser),
      chat.settings.ofWorkspace(chatUser.platform, workspace),
    ]);
    return { personal, notices: accounts.noticePreferencesOf(account), workspace: rules };
  }

  /** Refuses numbers out of bounds. Whether somebody may change the workspace's rules is for the adapter to check. */
  async function saveSettings(
    caller: ChatCaller,
    { personal, notices, workspace }: Partial<ChatUserSettings>,
  ): Promise<Card> {
    const { account } = await chat.admit(caller);
    const { chatUser } = caller;
    if (personal !== undefined) await chat.settings.setForUser(chatUser, personal);
    if (notices !== undefined) await accounts.setNoticePreferences(account, notices);
    if (workspace !== undefined) {
      const installation = addressWorkspace(chatUser) || caller.workspace;
      await chat.settings.setForWorkspace(chatUser.platform, caller.workspace, workspace, installation);
    }
    return cardsOf(caller).saved;
  }

  return { settings, saveSettings };
}
