import type { Router } from '@koa/router';
import type { Account, FormDefaults, PushSettings } from '../../domain/index.ts';
import { buildUploadOptions } from '../../http/uploads.ts';
import type { WebDependencies } from '../dependencies.ts';
import type { PageContext } from '../pageContext.ts';
import { type PageRequest, problemsIn } from '../pageHandlers.ts';
import type { Draft } from '../pages/draft.ts';
import { messagePage } from '../pages/messagePage.tsx';
import { newPushPage } from '../pages/newPush.tsx';
import { pushCreatedPage } from '../pages/pushCreated.tsx';
import { draftOf, inputOf, isUserError, submittedDraft } from './newPush.ts';

type ComposePageOptions = {
  defaults: FormDefaults;
  account: Account | null;
  draft: Draft;
  problems?: Record<string, string>;
};

const path = /^\/compose\/([\w-]+)$/;

/**
 * The page of a link that somebody in a chat asked for: it makes one push in their name, which then appears in the chat.
 * Looking at it uses nothing up.
 */
export function composeRoutes(router: Router, { domain, pages, links }: WebDependencies): void {
  const { chat, pushes, files } = domain;
  const uploadOptions = buildUploadOptions(files, ['push']);

  router.get(
    '/compose/:token',
    path,
    pages.page(async ({ ctx, page }) => {
      const { defaults, account } = await chat.previewCompose(tokenOf(ctx));
      return composePage({ ctx, page }, { defaults, account, draft: emptyDraft(defaults) });
    }, goneIfUsed),
  );

  router.post(
    '/compose/:token',
    path,
    pages.openUpload(async ({ ctx, page, read }) => {
      const { push, isSent } = await chat.compose(tokenOf(ctx), async (take, account) =>
        inputOf(submittedDraft(await read(uploadOptions(account, take)), true)),
      );
      const { created, sent } = page.messages.compose;
      return pushCreatedPage(page, {
        push,
        link: links.page(push),
        signedIn: null,
        note: created,
        ...(isSent && { lead: sent }),
      });
    }, showProblems),
  );

  async function showProblems(request: PageRequest, error: unknown): Promise<string | undefined> {
    if (!isUserError(error)) return goneIfUsed(request, error);
    const preview = await chat.previewCompose(tokenOf(request.ctx));
    return composePage(request, {
      ...preview,
      draft: draftOf(request.fields, true),
      problems: problemsIn(request.page, error),
    });
  }

  function composePage(
    { ctx, page }: Pick<PageRequest, 'ctx' | 'page'>,
    { defaults, account, draft, problems }: ComposePageOptions,
  ): string {
    const { lead, needsRecipients } = page.messages.compose;
    return newPushPage(page, {
      draft: { ...draft, retrievalStep: null },
      settings: termsOf(defaults),
      files: files.canAttach(account) ? files.settings : null,
      action: `/compose/${tokenOf(ctx)}`,
      lead: problems?.recipients === undefined ? lead : needsRecipients,
      ...(problems && { problems }),
    });
  }

  function termsOf({ views, days, maxViews, maxDays }: FormDefaults): PushSettings {
    const { bounds, ...terms } = pushes.settings;
    return {
      ...terms,
      defaults: { ...terms.defaults, expireAfterViews: views, expireAfterDays: days },
      bounds: {
        expireAfterViews: { ...bounds.expireAfterViews, max: maxViews },
        expireAfterDays: { ...bounds.expireAfterDays, max: maxDays },
      },
    };
  }

  function emptyDraft({ views, days, notices }: FormDefaults): Draft {
    const lifetime = `${days}d`;
    const { deletableByViewer } = pushes.settings.defaults;
    const texts = { kind: 'text', payload: '', passphrase: '', name: '', note: '' };
    return {
      ...texts,
      lifetime,
      views: String(views),
      retrievalStep: null,
      deletableByViewer,
      notify: notices,
    };
  }
}

const tokenOf = ({ captures }: PageRequest['ctx']): string => captures?.[0] ?? '';

function goneIfUsed(
  { ctx, page }: { ctx: PageRequest['ctx']; page: PageContext },
  _error: unknown,
): string | undefined {
  return ctx.status === 404 ? messagePage(page, page.messages.compose.gone) : undefined;
}
