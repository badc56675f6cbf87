import type { Router } from '@koa/router';
import { DomainError, decodeChoice, type NoticeChoice, type Person } from '../../domain/index.ts';
import type { ApiParts } from '../app.ts';
import { type Asked, type Fields, problemsIn } from '../pageHandlers.ts';
import { lifetimeInput } from '../pages/lifetimes.ts';
import { type Draft, madePage, makePage } from '../pages/make.tsx';

/** The page that makes pushes. */
export function makeRoutes(router: Router, { domain: { pushes }, pages, links }: ApiParts): void {
  const { settings: terms } = pushes;

  router.get(
    '/',
    pages.open(({ frame, person }) => {
      if (person === null && !terms.allowAnonymous) return { to: '/sign-in' };
      return makePage(frame, { draft: emptyDraft(person), terms });
    }),
  );

  router.post(
    '/',
    pages.openForm(async ({ frame, person, visit, fields }) => {
      const push = await pushes.create(inputOf(draftOf(fields, person !== null)), { owner: person, visit });
      return madePage(frame, { push, link: links.page(push), person });
    }, askAgain),
  );

  /** With everything that was entered, and what is wrong with it. */
  function askAgain({ frame, person, fields }: Asked, error: unknown) {
    if (!(error instanceof DomainError) || error.code !== 'invalid') return undefined;
    return makePage(frame, { draft: draftOf(fields, person !== null), terms, problems: problemsIn(error) });
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
export function noticesOf({ viewed, expired, failedPassphrase, reminder }: Fields): NoticeChoice {
  return {
    viewed: viewed === 'every' || viewed === 'none' ? viewed : 'first',
    expired: expired === 'on',
    failedPassphrase: failedPassphrase === 'on',
    reminder: reminder === 'on',
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
