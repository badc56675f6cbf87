import type { Router } from '@koa/router';
import { DomainError, decodePreferences, type Problem, type SignedIn } from '../../domain/index.ts';
import { buildUploadOptions } from '../../http/uploads.ts';
import { readNoticeFields } from '../components/noticeFields.tsx';
import type { WebDependencies } from '../dependencies.ts';
import { lifetimeInput } from '../lifetimes.ts';
import { type Fields, type PageRequest, problemsIn, type SubmittedForm } from '../pageHandlers.ts';
import type { Draft } from '../pages/draft.ts';
import { newPushPage } from '../pages/newPush.tsx';
import { pushCreatedPage } from '../pages/pushCreated.tsx';

/** The page that makes pushes. */
export function newPushRoutes(
  router: Router,
  { domain: { pushes, files }, pages, links }: WebDependencies,
): void {
  const { settings } = pushes;
  const uploadOptions = buildUploadOptions(files, ['push']);
  const limitsFor = (signedIn: SignedIn | null) => (files.canAttach(signedIn) ? files.settings : null);

  router.get(
    '/',
    pages.open(({ page, signedIn }) => {
      if (signedIn === null && !settings.allowAnonymous) return { to: '/sign-in' };
      return newPushPage(page, { draft: emptyDraft(signedIn), settings, files: limitsFor(signedIn) });
    }),
  );

  router.post(
    '/',
    pages.openUpload(async ({ page, signedIn, client, read }) => {
      const push = await pushes.receive({ account: signedIn, client }, async (take) => {
        const sent = await read(uploadOptions(signedIn, take));
        return inputOf(submittedDraft(sent, signedIn !== null));
      });
      return pushCreatedPage(page, { push, link: links.page(push), signedIn });
    }, showProblems),
  );

  /** With everything that was entered, and what is wrong with it. */
  function showProblems({ page, signedIn, fields }: PageRequest, error: unknown) {
    if (!isUserError(error)) return undefined;
    return newPushPage(page, {
      draft: draftOf(fields, signedIn !== null),
      settings,
      files: limitsFor(signedIn),
      problems: problemsIn(page, error),
    });
  }

  function emptyDraft(signedIn: SignedIn | null): Draft {
    const { defaults } = settings;
    return {
      kind: 'text',
      payload: '',
      passphrase: '',
      name: '',
      note: '',
      lifetime: `${defaults.expireAfterDays}d`,
      views: String(defaults.expireAfterViews),
      retrievalStep: defaults.retrievalStep,
      deletableByViewer: defaults.deletableByViewer,
      notify: signedIn && decodePreferences(signedIn.notify),
    };
  }
}

/** Whether what was refused is something that whoever entered it can change. */
export function isUserError(error: unknown): error is DomainError {
  return error instanceof DomainError && (error.code === 'invalid' || error.code === 'too_large');
}

/**
 * The draft of a form that was sent. Files beside a text are files with a message, whatever is chosen above them; with a
 * link they would be lost, so that is refused, as are no files where files were chosen.
 */
export function submittedDraft({ fields, hasFiles }: SubmittedForm, hasNotices: boolean): Draft {
  const draft = draftOf(fields, hasNotices);
  if (hasFiles && (draft.kind === 'url' || draft.kind === 'qr')) throw refusal('kind', { code: 'fileKind' });
  if (!hasFiles && draft.kind === 'file') throw refusal('files', { code: 'fileRequired' });
  return hasFiles ? { ...draft, kind: 'file' } : draft;
}

function refusal(field: string, problem: Problem): DomainError {
  return new DomainError('invalid', { problems: { [field]: [problem] } });
}

/** What was entered. Who composes for a chat is no person that is signed in, and yet has notices to choose. */
export function draftOf(fields: Fields, hasNotices: boolean): Draft {
  const {
    kind = 'text',
    payload = '',
    passphrase = '',
    name = '',
    note = '',
    lifetime = '',
    views = '',
  } = fields;
  return {
    kind,
    payload: payload.replaceAll('\r\n', '\n'), // browsers send the line breaks of a text area in this form
    passphrase,
    name,
    note: note.replaceAll('\r\n', '\n'),
    lifetime,
    views,
    retrievalStep: fields.retrievalStep === 'on',
    deletableByViewer: fields.deletableByViewer === 'on',
    notify: hasNotices ? readNoticeFields(fields) : null,
  };
}

export function inputOf({ lifetime, views, notify, ...draft }: Draft) {
  return {
    ...draft,
    ...lifetimeInput(lifetime),
    expireAfterViews: views,
    ...(notify === null ? {} : { notify }),
  };
}
