import type { SignedIn } from '../../domain/index.ts';
import { buildUploadOptions, type UploadOptions } from '../../http/uploads.ts';
import type { WebDependencies } from '../dependencies.ts';
import { isOutdated, isUserError } from '../forms.ts';
import { emptyDraft, pushInputOf, redrawnDraft } from '../newPushForm.ts';
import type { PageRequest } from '../pageRequest.ts';
import { problemsIn } from '../pages/errorPage.tsx';
import { newPushPage } from '../pages/newPush.tsx';
import { saveCreated } from '../tokenPage.ts';

const withoutFiles: UploadOptions = { onFile: async () => {} };

/** The page that creates pushes. */
export function newPushRoutes({ domain: { pushes, files }, pages, cookies }: WebDependencies): void {
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
    if (isRefused) await read(withoutFiles); // says if a session has ended, and what was entered is not lost
    await using creation = await pushes.begin(caller);
    const form = await read(uploadOptions(signedIn, creation.addFile));
    const push = await creation.create(pushInputOf(form, { hasNotices: signedIn !== null }));
    const statusToken = signedIn === null ? pushes.statusToken(push) : undefined;
    return { to: saveCreated(ctx, cookies, push, statusToken) };
  });

  /** The form with everything that was entered, and what is wrong with it. */
  function showProblems({ page, signedIn, fields }: PageRequest, error: unknown) {
    if (!isUserError(error) && !isOutdated(error)) return undefined;
    const outdated = isOutdated(error) ? error.reason : undefined;
    return newPushPage(page, {
      draft: redrawnDraft(fields, { hasNotices: signedIn !== null || outdated === 'ended' }),
      outdated,
      settings,
      files: fileSettingsFor(signedIn),
      problems: problemsIn(page, error),
    });
  }
}
