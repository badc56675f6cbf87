import {
  type ChatCaller,
  type ChatPushOptions,
  type ErrorCode,
  type PushForm,
  toRefusal,
} from '../../domain/index.ts';
import { platforms } from '../../platforms.ts';
import type { Card } from '../card.ts';
import { CardError } from '../errorCard.ts';
import { type FormSubmission, formIds, listIn, textIn } from '../form.ts';
import { readPushForm } from '../forms/readPush.ts';
import { readRequestForm } from '../forms/request.ts';
import { readRequestLinkForm } from '../forms/requestLink.ts';
import { readRules } from '../forms/rules.ts';
import { type ChatUserSettings, readSettingsForm } from '../forms/settings.ts';
import { cardsOf } from '../language.ts';
import type { CreateOptions } from './create.ts';
import { type FormDraft, valuesOf } from './drafts.ts';
import type { RequestLinkInput } from './requestLinks.ts';
import type { RequestInput } from './requests.ts';

type Dependencies = {
  create: (caller: ChatCaller, form: PushForm, options: CreateOptions) => Promise<Card>;
  provide: (caller: ChatCaller, requestId: string, form: PushForm, options: SubmitOptions) => Promise<Card>;
  request: (caller: ChatCaller, providers: string[], input: RequestInput) => Promise<Card>;
  requestLink: (caller: ChatCaller, input: RequestLinkInput) => Promise<Card>;
  share: (caller: ChatCaller, pushId: string, recipients: string[]) => Promise<Card>;
  confirmLink: (caller: ChatCaller, linkId: string, code: string) => Promise<Card>;
  saveSettings: (caller: ChatCaller, settings: Partial<ChatUserSettings>) => Promise<Card>;
  maybeDraft: (token: string) => Promise<FormDraft | undefined>;
  deleteDraft: (token: string) => Promise<void>;
  readmit: (caller: ChatCaller) => Promise<void>;
};

/** With these, nothing was done. */
const undoneCodes: ErrorCode[] = ['invalid', 'forbidden', 'too_many', 'too_large'];

/** `files` come with a push. After `signal` aborts, no push is created. */
export type SubmitOptions = Pick<ChatPushOptions, 'files' | 'signal'>;

/** What a submitted form does. */
export function createSubmit(commands: Dependencies) {
  /** A refused form can be submitted again, also where the chat gives its submissions the same key. */
  return async function submit(
    caller: ChatCaller,
    submission: FormSubmission,
    options: SubmitOptions = {},
  ): Promise<Card> {
    try {
      return await dispatch(caller, submission, options);
    } catch (error) {
      const code = toRefusal(error)?.code;
      const isUndone = error instanceof CardError || (code !== undefined && undoneCodes.includes(code));
      if (isUndone) await commands.readmit(caller).catch(() => {}); // the refusal is what matters
      throw error;
    }
  };

  async function dispatch(
    caller: ChatCaller,
    submission: FormSubmission,
    options: SubmitOptions,
  ): Promise<Card> {
    const { id, values, state } = submission;
    const { hasSlashText } = platforms[caller.chatUser.platform];
    switch (id) {
      case formIds.push:
        return submitPush(caller, submission, options);
      case formIds.request: {
        const { providers, ...input } = readRequestForm(values);
        return commands.request(caller, providers, input);
      }
      case formIds.requestLink:
        return commands.requestLink(caller, readRequestLinkForm(values, state));
      case formIds.share:
        return commands.share(caller, state.pushId ?? '', listIn(values, 'recipients') ?? []);
      case formIds.confirmLink:
        return commands.confirmLink(caller, state.linkId ?? '', textIn(values, 'code') ?? '');
      case formIds.settings:
        return commands.saveSettings(caller, {
          ...readSettingsForm(values),
          ...(state.hasRules && { workspace: readRules(values, { hasSlashText }) }),
        });
      case formIds.rules:
        return commands.saveSettings(caller, { workspace: readRules(values, { hasSlashText }) });
    }
  }

  async function submitPush(
    caller: ChatCaller,
    submission: FormSubmission,
    { files, signal }: SubmitOptions,
  ): Promise<Card> {
    const { draftToken, requestId, isFromMessage = false } = submission.state;
    const draft = draftToken === undefined ? undefined : await commands.maybeDraft(draftToken);
    if (draftToken !== undefined && draft === undefined) throw new CardError(cardsOf(caller).lostDraft);
    const { form, recipients } = readPushForm(valuesOf(submission, draft));
    const hints = isFromMessage ? [cardsOf(caller).hints.original] : [];
    const card =
      requestId === undefined
        ? await commands.create(caller, form, { recipients, files, signal, hints })
        : await commands.provide(caller, requestId, form, { files, signal });
    if (draftToken !== undefined) await commands.deleteDraft(draftToken).catch(() => {}); // it expires within the hour
    return card;
  }
}
