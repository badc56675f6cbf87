import type { Router } from '@koa/router';
import type { ApiParts } from '../app.ts';
import type { Asked } from '../pageHandlers.ts';
import { connectPage } from '../pages/connect.tsx';
import { remarkPage } from '../pages/remarks.tsx';
import { keepSession } from '../session.ts';

const path = /^\/connect\/([\w-]+)$/;

/** The page of a link that somebody asked for in a chat: signs the browser in as them, or joins them to who is signed in. */
export function connectRoutes(router: Router, { domain, pages, cookies }: ApiParts): void {
  const { chat, sessions } = domain;

  router.get(
    '/connect/:token',
    path,
    pages.open(async ({ ctx, frame }) => {
      const token = tokenOf(ctx);
      const { name, speaker } = await chat.lookAtConnecting(token);
      return connectPage(frame, { token, name, platform: speaker.platform });
    }, goneIfUsed),
  );

  router.post(
    '/connect/:token',
    path,
    pages.openForm(async ({ ctx, frame, person, visit }) => {
      if (person !== null) {
        await chat.connect(tokenOf(ctx), person);
        return remarkPage(frame, frame.words.connect.joined);
      }
      keepSession(ctx, cookies, await sessions.begin(await chat.enterAs(tokenOf(ctx)), visit));
      return { to: '/pushes' };
    }, goneIfUsed),
  );
}

const tokenOf = ({ captures }: Asked['ctx']): string => captures?.[0] ?? '';

function goneIfUsed({ ctx, frame }: Pick<Asked, 'ctx' | 'frame'>): string | undefined {
  return ctx.status === 404 ? remarkPage(frame, frame.words.connect.gone) : undefined;
}
