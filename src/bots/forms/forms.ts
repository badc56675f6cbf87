import type { FormDefaults, Platform, WorkspaceSettings } from '../../domain/index.ts';
import type { Option } from '../form.ts';
import type { ChatMessages } from '../messages.ts';
import { confirmLinkForm } from './confirmLink.ts';
import type { SettingBounds } from './options.ts';
import { pushForm } from './push.ts';
import type { PushFormOptions } from './pushFields.ts';
import { type RequestFormOptions, requestForm } from './request.ts';
import { type RequestLinkFormOptions, requestLinkForm } from './requestLink.ts';
import { rulesForm } from './rules.ts';
import { type ChatUserSettings, type SettingsFormOptions, settingsForm } from './settings.ts';
import { shareForm } from './share.ts';

export type Forms = ReturnType<typeof createForms>;

/** Every form that people fill in, in one language. */
export const createForms = (messages: ChatMessages) => ({
  push: (defaults: FormDefaults, options: PushFormOptions) => pushForm(messages, defaults, options),
  request: (options?: RequestFormOptions) => requestForm(messages, options),
  requestLink: (options?: RequestLinkFormOptions) => requestLinkForm(messages, options),
  share: (pushId: string, groups?: Option[]) => shareForm(messages, pushId, groups),
  confirmLink: (linkId: string) => confirmLinkForm(messages, linkId),
  settings: (settings: ChatUserSettings, bounds: SettingBounds, options?: SettingsFormOptions) =>
    settingsForm(messages, settings, bounds, options),
  rules: (rules: WorkspaceSettings, bounds: SettingBounds, platform: Platform) =>
    rulesForm(messages, rules, bounds, platform),
});
