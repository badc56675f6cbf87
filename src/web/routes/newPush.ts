import type { Router } from '@koa/router';
import { DomainError, decodeChoice, type NoticeChoice, type Person } from '../../domain/index.ts';
import type { ApiParts } from '../../http/app.ts';
import { buildUploadOptions } from '../../http/uploads.ts';
import { type Asked, type Fields, problemsIn, type Sent } from '../pageHandlers.ts';
import { lifetimeInput } from '../pages/lifetimes.ts';
import { type Draft, madePage, makePage } from '../pages/newPush.tsx';

/** The page that makes pushes. */
export function makeRoutes(router: Router, { domain: { pushes, files }, pages, links }: ApiParts): void {
  const { settings: terms } = pushes;
  const uploadOptions = buildUploadOptions(files, ['push']);
  const limitsFor = (person: Person | null) => (files.isOpenTo(person) ? files.settings : null);

  router.get(
    '/',
    pages.open(({ frame, person }) => {
      if (person === null && !terms.allowAnonymous) return { to: '/sign-in' };
      return makePage(frame, { draft: emptyDraft(person), terms, files: limitsFor(person) });
    }),
  );

  router.post(
    '/',
    pages.openUpload(async ({ frame, person, visit, read }) => {
      const push = await pushes.receive({ owner: person, visit }, async (take) => {
        const sent = await read(uploadOptions(person, take));
        return inputOf(sentDraft(sent, person !== null));
      });
      return madePage(frame, { push, link: links.page(push), person });
    }, askAgain),
  );

  /** With everything that was entered, and what is wrong with it. */
  function askAgain({ frame, person, fields }: Asked, error: unknown) {
    if (!isMendable(error)) return undefined;
    return makePage(frame, {
      draft: draftOf(fields, person !== null),
      terms,
      files: limitsFor(person),
      problems: problemsIn(error),
    });
  }

  function emptyDraft(person: Person | null): Draft {
    const { defaults } = terms;
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
      notify: person && decodeChoice(person.notify),
    };
  }
}

/** Whether what was refused is something that whoever entered it can change. */
export function isMendable(error: unknown): error is DomainError {
  return error instanceof DomainError && (error.code === 'invalid' || error.code === 'too_large');
}

/**
 * The draft of a form that was sent. Files beside a text are files with a message, whatever is chosen above them; with a
 * link they would be lost, so that is refused, as are no files where files were chosen.
 */
export function sentDraft({ fields, hasFiles }: Sent, hasNotices: boolean): Draft {
  const draft = draftOf(fields, hasNotices);
  if (hasFiles && (draft.kind === 'url' || draft.kind === 'qr'))
    throw refusal('kind', 'must be files while files are chosen');
  if (!hasFiles && draft.kind === 'file') throw refusal('files', 'must be at least one');
  return hasFiles ? { ...draft, kind: 'file' } : draft;
}

function refusal(field: string, problem: string): DomainError {
  return new DomainError('invalid', `${field} ${problem}`, { fields: { [field]: [problem] } });
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
    notify: hasNotices ? noticesOf(fields) : null,
  };
}

/** What the fields of `Notices` say. */
export function noticesOf({ viewed, expired, failedPassphrase, reminder, askedAgain }: Fields): NoticeChoice {
  return {
    viewed: viewed === 'every' || viewed === 'none' ? viewed : 'first',
    expired: expired === 'on',
    failedPassphrase: failedPassphrase === 'on',
    reminder: reminder === 'on',
    askedAgain: askedAgain === 'on',
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
