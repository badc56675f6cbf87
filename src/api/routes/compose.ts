import type { Router } from '@koa/router';
import { DomainError, type FormDefaults, type NewPushTerms } from '../../domain/index.ts';
import type { ApiParts } from '../app.ts';
import { type Asked, problemsIn } from '../pageHandlers.ts';
import type { Frame } from '../pages/frame.ts';
import { type Draft, madePage, makePage } from '../pages/make.tsx';
import { remarkPage } from '../pages/remarks.tsx';
import { draftOf, inputOf } from './make.ts';

const path = /^\/compose\/([\w-]+)$/;

/**
 * The page of a link that somebody in a chat asked for: it makes one push in their name, which then appears in the chat.
 * Looking at it uses nothing up.
 */
export function composeRoutes(router: Router, { domain: { chat, pushes }, pages, links }: ApiParts): void {
  router.get(
    '/compose/:token',
    path,
    pages.page(async ({ ctx, frame }) => {
      const { defaults } = await chat.lookAtComposing(tokenOf(ctx));
      return composePage({ ctx, frame }, defaults, emptyDraft(defaults));
    }, goneIfUsed),
  );

  router.post(
    '/compose/:token',
    path,
    pages.openForm(async ({ ctx, frame, fields }) => {
      const push = await chat.compose(tokenOf(ctx), inputOf(draftOf(fields, true)));
      return madePage(frame, { push, link: links.page(push), person: null, note: frame.words.compose.made });
    }, askAgain),
  );

  async function askAgain(asked: Asked, error: unknown): Promise<string | undefined> {
    if (!(error instanceof DomainError) || error.code !== 'invalid') return goneIfUsed(asked, error);
    const { defaults } = await chat.lookAtComposing(tokenOf(asked.ctx));
    return composePage(asked, defaults, draftOf(asked.fields, true), problemsIn(error));
  }

  function composePage(
    { ctx, frame }: Pick<Asked, 'ctx' | 'frame'>,
    defaults: FormDefaults,
    draft: Draft,
    problems?: Record<string, string>,
  ): string {
    const { lead, needsRecipients } = frame.words.compose;
    return makePage(frame, {
      draft: { ...draft, retrievalStep: null },
      terms: termsOf(defaults),
      action: `/compose/${tokenOf(ctx)}`,
      lead: problems?.recipients === undefined ? lead : needsRecipients,
      ...(problems && { problems }),
    });
  }

  function termsOf({ views, days, maxViews, maxDays }: FormDefaults): NewPushTerms {
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

const tokenOf = ({ captures }: Asked['ctx']): string => captures?.[0] ?? '';

function goneIfUsed(
  { ctx, frame }: { ctx: Asked['ctx']; frame: Frame },
  _error: unknown,
): string | undefined {
  return ctx.status === 404 ? remarkPage(frame, frame.words.compose.gone) : undefined;
}
