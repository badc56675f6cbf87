import type { Account, FormDefaults, PushSettings } from '../../domain/index.ts';
import { capturedToken } from '../../http/params.ts';
import { buildUploadOptions } from '../../http/uploads.ts';
import type { WebDependencies } from '../dependencies.ts';
import { isOutdated, isUserError } from '../forms.ts';
import { type Draft, emptyChatDraft, pushInputOf, redrawnDraft } from '../newPushForm.ts';
import type { PageRequest } from '../pageRequest.ts';
import { problemsIn } from '../pages/errorPage.tsx';
import { showGoneOf } from '../pages/messagePage.tsx';
import { newPushPage } from '../pages/newPush.tsx';
import { saveCreated } from '../tokenPage.ts';

type ComposePageOptions = {
  defaults: FormDefaults;
  account: Account | null;
  draft: Draft;
  problems?: Record<string, string>;
  outdated?: 'stale' | 'ended' | undefined;
};

const composePath = /^\/compose\/([\w-]+)$/;

const showGone = showGoneOf('compose');

/** The page of a link from a chat: it creates one push in the name of whoever requested the link. Opening it does not use it up. */
export function composeRoutes({ domain: { chat, pushes, files }, pages, cookies }: WebDependencies): void {
  const uploadOptions = buildUploadOptions(files, ['push']);

  pages.anonymous('/compose/:token', { pattern: composePath, onRefusal: showGone }, async (request) => {
    const { defaults, account } = await chat.previewCompose(capturedToken(request.ctx));
    return showForm(request, { defaults, account, draft: emptyChatDraft(pushes.settings, defaults) });
  });

  pages.uploadForm(
    '/compose/:token',
    { pattern: composePath, onRefusal: showProblems },
    async ({ ctx, read }) => {
      await using creation = await chat.beginCompose(capturedToken(ctx));
      const form = await read(uploadOptions(creation.account, creation.addFile));
      const { push, isSent } = await creation.create(pushInputOf(form, { hasNotices: true }));
      return { to: `${saveCreated(ctx, cookies, push)}?chat=${isSent ? 'sent' : 'created'}` };
    },
  );

  async function showProblems(request: PageRequest, error: unknown): Promise<string | undefined> {
    const outdated = isOutdated(error) ? error.reason : undefined;
    if (!isUserError(error) && outdated === undefined) return showGone(request);
    const { defaults, account } = await chat.previewCompose(capturedToken(request.ctx));
    const draft = redrawnDraft(request.fields, { hasNotices: true });
    return showForm(request, {
      defaults,
      account,
      draft,
      problems: problemsIn(request.page, error),
      outdated,
    });
  }

  function showForm(
    { ctx, page }: PageRequest,
    { defaults, account, draft, problems, outdated }: ComposePageOptions,
  ): string {
    const { lead, needsRecipients } = page.messages.compose;
    return newPushPage(page, {
      draft: { ...draft, retrievalStep: null },
      settings: withDefaults(pushes.settings, defaults),
      files: files.canAttach(account) ? files.settings : null,
      action: `/compose/${capturedToken(ctx)}`,
      lead: problems?.recipients === undefined ? lead : needsRecipients,
      outdated,
      ...(problems && { problems }),
    });
  }
}

/** The settings as this person, and the rules of their workspace, narrow them. */
function withDefaults(
  { defaults, bounds, ...settings }: PushSettings,
  { views, days, maxViews, maxDays }: FormDefaults,
): PushSettings {
  return {
    ...settings,
    defaults: { ...defaults, expireAfterViews: views, expireAfterDays: days },
    bounds: {
      expireAfterViews: { ...bounds.expireAfterViews, max: maxViews },
      expireAfterDays: { ...bounds.expireAfterDays, max: maxDays },
    },
  };
}
