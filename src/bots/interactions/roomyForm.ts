import type { ChatCaller } from '../../domain/index.ts';
import type { Commands } from '../commands.ts';
import type { FormSpec, Option } from '../form.ts';
import { moreFields, type PushFieldName } from '../forms/pushFields.ts';
import { languageOf } from '../language.ts';
import { defaultsWithinTimeout } from '../outcome.ts';
import { buildOtherForm, type Opening, type OtherFormOptions } from './openings.ts';

/** A message to push, with its files. */
export type PushedMessage = { text: string; files: Option[] };

type FormOptions = Pick<OtherFormOptions, 'showsRules'> & {
  /** The longest text of an input. */
  textMax: number;
  message?: PushedMessage | undefined;
  /** Where the chat accepts a reply to the conversation. */
  replyTo?: string | undefined;
  /** Whether files can be pushed from the chat. */
  canFetchFiles?: Promise<boolean> | undefined;
  /** The groups of people who can be chosen as a whole. */
  groups?: (() => Promise<Option[]>) | undefined;
};

/** `form` can be opened at once. What it needs later works once `save` is done. */
type BuiltForm = { form: FormSpec; save(): Promise<unknown> };

/**
 * Builds forms for chats that have room for all of a push, where rare fields are shown on demand, and that keep a form open
 * until it is accepted.
 */
export function createFormBuilder(commands: Commands) {
  async function pushForm(
    caller: ChatCaller,
    requestId: string | undefined,
    { textMax, message, replyTo, canFetchFiles, groups: groupsOf }: FormOptions,
  ): Promise<BuiltForm> {
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
  }

  return async function build(
    caller: ChatCaller,
    opening: Opening,
    options: FormOptions,
  ): Promise<BuiltForm> {
    if (opening.form === 'push') return pushForm(caller, opening.requestId, options);
    if (opening.form === 'refill') throw new Error('no form closes here before it is accepted');
    const { showsRules = false, groups: groupsOf } = options;
    const groups = opening.form === 'share' ? await groupsOf?.() : undefined;
    const form = await buildOtherForm(commands, caller, opening, { groups, showsRules });
    return { form, save: async () => {} };
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
