import type { FormDefaults, PushSettings } from '../../domain/index.ts';
import { capturedToken } from '../../http/params.ts';
import { buildUploadOptions } from '../../http/uploads.ts';
import type { WebDependencies } from '../dependencies.ts';
import { isOutdated, isUserError } from '../forms.ts';
import { emptyChatDraft, pushInputOf, redrawnDraft } from '../newPushForm.ts';
import type { PageRequest } from '../pageRequest.ts';
import { problemsIn } from '../pages/errorPage.tsx';
import { showGoneOf } from '../pages/messagePage.tsx';
import { type NewPushPage, newPushPage } from '../pages/newPush.tsx';
import { saveCreated } from '../tokenPage.ts';

const pattern = /^\/compose\/([\w-]+)$/;

const showGone = showGoneOf('compose');

/** The page of a link from a chat: it creates one push in the name of whoever requested the link. Opening it does not use it up. */
export function composeRoutes({ domain: { chat, pushes, files }, pages, cookies }: WebDependencies): void {
  const uploadOptions = buildUploadOptions(files, ['push']);

  pages.anonymous('/compose/:token', { pattern, onRefusal: showGone }, (request) =>
    showForm(request, (defaults) => ({ draft: emptyChatDraft(pushes.settings, defaults) })),
  );

  pages.uploadForm('/compose/:token', { pattern, onRefusal: showProblems }, async ({ ctx, read }) => {
    await using creation = await chat.beginCompose(capturedToken(ctx));
    const form = await read(uploadOptions(creation.account, creation.addFile));
    const { push, isSent } = await creation.create(pushInputOf(form, { hasNotices: true }));
    return { to: `${saveCreated(ctx, cookies, push)}?chat=${isSent ? 'sent' : 'created'}` };
  });

  async function showProblems(request: PageRequest, error: unknown): Promise<string | undefined> {
    const outdated = isOutdated(error) ? error.reason : undefined;
    if (!isUserError(error) && outdated === undefined) return showGone(request);
    const draft = redrawnDraft(request.fields, { hasNotices: true });
    return showForm(request, () => ({ draft, problems: problemsIn(request.page, error), outdated }));
  }

  type Entered = Pick<NewPushPage, 'draft' | 'problems' | 'outdated'>;

  async function showForm({ ctx, page }: PageRequest, enteredWith: (defaults: FormDefaults) => Entered) {
    const { lead, needsRecipients } = page.messages.compose;
    const token = capturedToken(ctx);
    const { defaults, account } = await chat.previewCompose(token);
    const { draft, ...entered } = enteredWith(defaults);
    return newPushPage(page, {
      draft: { ...draft, retrievalStep: null },
      ...entered,
      settings: withDefaults(pushes.settings, defaults),
      files: files.canAttach(account) ? files.settings : null,
      action: `/compose/${token}`,
      lead: entered.problems?.recipients === undefined ? lead : needsRecipients,
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
