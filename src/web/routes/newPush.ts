import type { SignedIn } from '../../domain/index.ts';
import { FormError } from '../../http/errors.ts';
import { buildUploadOptions, type UploadOptions } from '../../http/uploads.ts';
import type { WebDependencies } from '../dependencies.ts';
import { isOutdated, isUserError, type SubmittedForm } from '../forms.ts';
import { emptyDraft, pushInputOf, redrawnDraft, toKeptChoices } from '../newPushForm.ts';
import type { PageRequest } from '../pageRequest.ts';
import { problemsIn } from '../pages/errorPage.tsx';
import { newPushPage } from '../pages/newPush.tsx';
import { saveCreated } from '../tokenPage.ts';

const withoutFiles: UploadOptions = { onFile: async () => {} };

/** A form that came from the page of an account creates nothing without one, unless its sender says so. Nor are mails sent. */
function requireAccount(signedIn: SignedIn | null, { fields }: SubmittedForm): void {
  if (signedIn !== null) return;
  if ((fields.account !== undefined && fields.anonymous !== 'yes') || fields.recipients?.trim())
    throw new FormError('ended');
}

/** The page that creates pushes. */
export function newPushRoutes({ domain, pages, cookies }: WebDependencies): void {
  const { accounts, pushes, files } = domain;
  const { settings } = pushes;
  const uploadOptions = buildUploadOptions(files, ['push']);
  const fileSettingsFor = (signedIn: SignedIn | null) => (files.canAttach(signedIn) ? files.settings : null);

  pages.page('/', ({ page, signedIn }) => {
    if (signedIn === null && !settings.allowAnonymous) return { to: '/sign-in' };
    const draft = emptyDraft(settings, signedIn);
    return newPushPage(page, { draft, settings, files: fileSettingsFor(signedIn) });
  });

  pages.uploadForm('/', { onRefusal: showProblems }, async ({ ctx, signedIn, client, read }) => {
    const caller = { account: signedIn, client };
    const isRefused = signedIn === null && !settings.allowAnonymous;
    if (isRefused) requireAccount(signedIn, await read(withoutFiles)); // what was entered is not lost
    await using creation = await pushes.begin(caller);
    const form = await read(uploadOptions(signedIn, creation.addFile));
    requireAccount(signedIn, form);
    const push = await creation.create(pushInputOf(form, { hasNotices: signedIn !== null }));
    if (signedIn !== null && form.fields.keep === 'on')
      await accounts.setFormDefaults(signedIn, toKeptChoices(form.fields));
    const statusToken = signedIn === null ? pushes.statusToken(push) : undefined;
    return { to: saveCreated(ctx, cookies, push, statusToken) };
  });

  /** The form with everything that was entered, and what is wrong with it. */
  function showProblems({ page, signedIn, fields }: PageRequest, error: unknown) {
    if (!isUserError(error) && !isOutdated(error)) return undefined;
    const outdated = isOutdated(error) ? error.reason : undefined;
    const hasNotices = signedIn !== null || outdated === 'ended' || fields.account !== undefined;
    return newPushPage(page, {
      draft: redrawnDraft(fields, { hasNotices }),
      outdated,
      settings,
      files: fileSettingsFor(signedIn),
      problems: problemsIn(page, error),
    });
  }
}
