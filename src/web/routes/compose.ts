import type { Router } from '@koa/router';
import type { FormDefaults, NewPushTerms, Owner } from '../../domain/index.ts';
import type { ApiParts } from '../../http/app.ts';
import { buildUploadOptions } from '../../http/uploads.ts';
import { type Asked, problemsIn } from '../pageHandlers.ts';
import { remarkPage } from '../pages/messagePage.tsx';
import { type Draft, madePage, makePage } from '../pages/newPush.tsx';
import type { Frame } from '../pages/pageContext.ts';
import { draftOf, inputOf, isMendable, sentDraft } from './newPush.ts';

type Composed = {
  defaults: FormDefaults;
  owner: Owner | null;
  draft: Draft;
  problems?: Record<string, string>;
};

const path = /^\/compose\/([\w-]+)$/;

/**
 * The page of a link that somebody in a chat asked for: it makes one push in their name, which then appears in the chat.
 * Looking at it uses nothing up.
 */
export function composeRoutes(router: Router, { domain, pages, links }: ApiParts): void {
  const { chat, pushes, files } = domain;
  const uploadOptions = buildUploadOptions(files, ['push']);

  router.get(
    '/compose/:token',
    path,
    pages.page(async ({ ctx, frame }) => {
      const { defaults, owner } = await chat.lookAtComposing(tokenOf(ctx));
      return composePage({ ctx, frame }, { defaults, owner, draft: emptyDraft(defaults) });
    }, goneIfUsed),
  );

  router.post(
    '/compose/:token',
    path,
    pages.openUpload(async ({ ctx, frame, read }) => {
      const { push, isSent } = await chat.compose(tokenOf(ctx), async (take, owner) =>
        inputOf(sentDraft(await read(uploadOptions(owner, take)), true)),
      );
      const { made, sent } = frame.words.compose;
      return madePage(frame, {
        push,
        link: links.page(push),
        person: null,
        note: made,
        ...(isSent && { lead: sent }),
      });
    }, askAgain),
  );

  async function askAgain(asked: Asked, error: unknown): Promise<string | undefined> {
    if (!isMendable(error)) return goneIfUsed(asked, error);
    const looked = await chat.lookAtComposing(tokenOf(asked.ctx));
    return composePage(asked, { ...looked, draft: draftOf(asked.fields, true), problems: problemsIn(error) });
  }

  function composePage(
    { ctx, frame }: Pick<Asked, 'ctx' | 'frame'>,
    { defaults, owner, draft, problems }: Composed,
  ): string {
    const { lead, needsRecipients } = frame.words.compose;
    return makePage(frame, {
      draft: { ...draft, retrievalStep: null },
      terms: termsOf(defaults),
      files: files.isOpenTo(owner) ? files.settings : null,
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
