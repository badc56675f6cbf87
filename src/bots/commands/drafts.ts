import { type Domain, toRefusal } from '../../domain/index.ts';
import { type FormSubmission, type FormValues, listIn, textIn } from '../form.ts';

/** A file of a message. Its address needs no token, and works for so long that a form can be filled in. */
export type MessageFile = { id: string; filename: string; contentType: string; url: string };

/** What was entered into the form of a push, sealed while it waits for the rest. */
export type FormDraft = {
  values: FormValues;
  /** The files of the message that the form was opened for. Those in `values` come along. */
  messageFiles?: MessageFile[];
  /** The fields that were refused. */
  problems?: string[];
  /** Whether files were attached, which have to be attached again. */
  hadFiles?: boolean;
};

/** Drafts live an hour. */
export function createDrafts(links: Domain['chat']['links']) {
  /** The token of a draft, which works once `save` is done. */
  const prepareDraft = (draft: FormDraft): { token: string; save: () => Promise<void> } =>
    links.prepare('draft', draft);

  async function maybeDraft(token: string): Promise<FormDraft | undefined> {
    try {
      return await links.read<FormDraft>('draft', token);
    } catch (error) {
      if (toRefusal(error)?.code === 'not_found') return undefined;
      throw error;
    }
  }

  /** Saves everything that was entered into a refused form, and returns the draft's token. */
  async function saveRefused(submission: FormSubmission, problems: string[]): Promise<string> {
    const { draftToken } = submission.state;
    const before = draftToken === undefined ? undefined : await maybeDraft(draftToken);
    const { payload, files, ...values } = valuesOf(submission, before);
    const hadFiles = (listIn({ files }, 'files') ?? []).length > 0;
    const kept = problems.includes('payload') ? values : { ...values, payload };
    const { messageFiles = [] } = before ?? {};
    return links.create('draft', { values: kept, problems, hadFiles, messageFiles } satisfies FormDraft);
  }

  /** The files of a message that come along with a form. */
  async function chosenMessageFiles(submission: FormSubmission): Promise<MessageFile[]> {
    const { draftToken } = submission.state;
    const draft = draftToken === undefined ? undefined : await maybeDraft(draftToken);
    const chosen = listIn(valuesOf(submission, draft), 'messageFiles') ?? [];
    return (draft?.messageFiles ?? []).filter(({ id }) => chosen.includes(id));
  }

  const deleteDraft = (token: string) => links.consume(token);

  return { prepareDraft, maybeDraft, saveRefused, chosenMessageFiles, deleteDraft };
}

/**
 * All values of a form: those that were submitted, and from its draft those that it did not show. The secret and the
 * passphrase are not shown again, so they stay as they were where nothing was entered in their place.
 */
export function valuesOf({ values, state }: FormSubmission, draft: FormDraft | undefined): FormValues {
  const chosenBefore: FormValues = {
    expireAfterViews: state.views?.toString(),
    expireAfterDays: state.expires,
    name: state.name,
  };
  const earlier = draft?.values ?? {};
  const isEntered = (name: string) => textIn(values, name) !== undefined;
  const hidden = ['payload', 'passphrase'].filter((name) => !isEntered(name));
  return {
    ...chosenBefore,
    ...earlier,
    ...values,
    ...Object.fromEntries(hidden.map((name) => [name, textIn(earlier, name)])),
  };
}
