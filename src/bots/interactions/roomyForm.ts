import type { ChatCaller } from '../../domain/index.ts';
import type { Commands } from '../commands.ts';
import type { FormSpec, Option } from '../form.ts';
import { moreFields, type PushFieldName } from '../forms/pushFields.ts';
import { languageOf } from '../language.ts';
import { defaultsWithinTimeout } from '../outcome.ts';

/** A message to push, with its files. */
export type PushedMessage = { text: string; files: Option[] };

type RoomyFormOptions = {
  /** The request that the push answers. */
  requestId?: string | undefined;
  message?: PushedMessage | undefined;
  /** Where the chat accepts a reply to the conversation. */
  replyTo?: string | undefined;
  /** Whether files can be pushed from the chat. */
  canFetchFiles?: Promise<boolean>;
  /** The groups of people who can be chosen as a whole. */
  groups?: () => Promise<Option[]>;
};

/**
 * Builds the form of a push, for chats whose forms have room for all of it: rare fields are shown on demand. `textMax` is
 * the longest text of an input. What the form needs later works once `save` is done, so the form can open before.
 */
export function createRoomyForms({ commands, textMax }: { commands: Commands; textMax: number }) {
  return async function build(
    caller: ChatCaller,
    { requestId, message, replyTo, canFetchFiles, groups: groupsOf }: RoomyFormOptions,
  ): Promise<{ form: FormSpec; save(): Promise<unknown> }> {
    const { chatUser, workspace, locale } = caller;
    const { text = '', files = [] } = message ?? {};
    const values = { payload: text };
    const draft = text.length > textMax ? commands.prepareDraft({ values }) : undefined;
    const compose = commands.prepareComposeLink({ chatUser, workspace, locale, replyTo, requestId });
    const [defaults, canFetch = false, groups = []] = await Promise.all([
      defaultsWithinTimeout(commands, caller),
      canFetchFiles,
      requestId === undefined ? groupsOf?.() : [],
    ]);
    const form = languageOf(caller).forms.push(defaults, {
      fields: fieldsFor(message, {
        canFetch: canFetch && defaults.canAttachFiles,
        hasGroups: groups.length > 0,
      }),
      groups,
      more: [...moreFields],
      state: { requestId, draftToken: draft?.token, isFromMessage: message && true },
      compose,
      messageFiles: files,
      ...(draft ? { draft: { values }, messageLength: text.length } : { text }),
    });
    return { form, save: () => Promise.all([draft?.save(), compose.save()]) };
  };
}

/** The fields that are shown at first. `canFetch` says whether files can be pushed from the chat. */
function fieldsFor(
  message: PushedMessage | undefined,
  { canFetch, hasGroups }: { canFetch: boolean; hasGroups: boolean },
): PushFieldName[] {
  const { text = '', files = [] } = message ?? {};
  const filesOfMessage: PushFieldName[] = canFetch ? ['messageFiles'] : ['messageFilesHint'];
  return [
    'payload',
    ...(files.length > 0 ? filesOfMessage : []),
    ...(canFetch ? (['files'] as const) : []),
    ...(text === '' || files.length > 0 ? (['compose'] as const) : []),
    'recipients',
    ...(hasGroups ? (['groups'] as const) : []),
    'expireAfterDays',
  ];
}
