import type { ChatCaller } from '../../domain/index.ts';
import { actions } from '../actions.ts';
import type { Commands } from '../commands.ts';
import { CardError } from '../errorCard.ts';
import type { FormSpec, Option } from '../form.ts';
import type { RequestFormOptions } from '../forms/request.ts';
import type { RequestLinkFormOptions } from '../forms/requestLink.ts';
import { cardsOf, languageOf } from '../language.ts';
import { defaultsWithinTimeout } from '../outcome.ts';
import { repeatable } from './repeatable.ts';

/** A form that is to be opened. `refill` is a refused one, by the value of the button that opens it again. */
export type Opening = { form: 'push'; requestId?: string } | { form: 'refill'; value: string } | OtherOpening;

/** A form other than that of a push. */
type OtherOpening =
  /** `asksWhose`: those who manage the workspace choose between its rules and their own settings. */
  | { form: 'settings'; asksWhose?: boolean }
  | { form: 'rules' }
  | { form: 'share'; pushId: string }
  | { form: 'confirmLink'; linkId: string }
  | { form: 'request'; options: RequestFormOptions }
  | { form: 'requestLink'; options: RequestLinkFormOptions };

/** The form that a button opens. `replaces` says whether its result replaces the message with the button, where it has one. */
type FormPlan = { replaces?: boolean; open(value: string): Opening };

/** The buttons that open forms, by their actions. */
export const formPlans: Record<string, FormPlan> = {
  [actions.newPush]: { open: () => ({ form: 'push' }) },
  [actions.newRequest]: { open: () => ({ form: 'request', options: {} }) },
  [actions.newRequestLink]: { open: () => ({ form: 'requestLink', options: {} }) },
  [actions.settings]: { open: () => ({ form: 'settings' }) },
  [actions.rules]: { open: () => ({ form: 'rules' }) },
  [actions.refill]: { open: (value) => ({ form: 'refill', value }) },
  [actions.send]: { replaces: false, open: (pushId) => ({ form: 'share', pushId }) },
  [actions.provide]: { replaces: true, open: (requestId) => ({ form: 'push', requestId }) },
  [actions.confirmLink]: { replaces: true, open: (linkId) => ({ form: 'confirmLink', linkId }) },
};

export type OtherFormOptions = {
  /** For chats that do not tell the time zone of people. */
  asksTimeZone?: boolean;
  /** For chats whose form of settings has room for the rules of the workspace below, where the caller manages it. */
  showsRules?: boolean;
  /** The groups of people who can be chosen as a whole. */
  groups?: Option[] | undefined;
  /** How many fields the chat has room for. */
  fieldsMax?: number;
};

/**
 * Builds a form other than that of a push. Those of settings need the current ones, and are refused without them: saving
 * would change what nobody touched.
 */
export async function buildOtherForm(
  commands: Commands,
  caller: ChatCaller,
  opening: OtherOpening,
  { groups, fieldsMax, asksTimeZone = false, showsRules = false }: OtherFormOptions = {},
): Promise<FormSpec> {
  const { forms } = languageOf(caller);
  const reader = repeatable(caller);
  const bounds = commands.fallbackDefaults();
  switch (opening.form) {
    case 'settings': {
      const hasRules = showsRules && (await commands.isManager(reader));
      if (opening.asksWhose && !showsRules && (await commands.isManager(reader).catch(() => false)))
        throw new CardError(cardsOf(caller).whoseSettings(caller.chatUser.platform));
      return forms.settings(await commands.settings(reader), bounds, { hasRules, asksTimeZone });
    }
    case 'rules':
      return forms.rules(await commands.rules(reader), bounds, caller.chatUser.platform);
    case 'share':
      return forms.share(opening.pushId, groups);
    case 'confirmLink':
      return forms.confirmLink(opening.linkId);
    case 'request':
      return forms.request(opening.options);
    case 'requestLink':
      return forms.requestLink({
        ...opening.options,
        fieldsMax,
        canMail: (await defaultsWithinTimeout(commands, caller)).canMail,
      });
  }
}
