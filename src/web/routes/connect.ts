import type { Router } from '@koa/router';
import type { Person, Speaker } from '../../domain/index.ts';
import type { ApiParts } from '../../http/app.ts';
import { keepSession } from '../../http/session.ts';
import type { Asked } from '../pageHandlers.ts';
import { accountCalled } from '../pages/chats.ts';
import { connectPage } from '../pages/connect.tsx';
import { remarkPage } from '../pages/messagePage.tsx';
import type { Frame } from '../pages/pageContext.ts';

const path = /^\/connect\/([\w-]+)$/;

/** The page of a link that somebody asked for in a chat: signs the browser in as them, or joins them to who is signed in. */
export function connectRoutes(router: Router, { domain, pages, cookies }: ApiParts): void {
  const { chat, sessions, signIn } = domain;

  router.get(
    '/connect/:token',
    path,
    pages.open(async ({ ctx, frame, person }) => {
      const token = tokenOf(ctx);
      const { name, speaker } = await chat.lookAtConnecting(token);
      const joining = person === null ? undefined : await foresee(frame, speaker, person);
      return connectPage(frame, { token, name, speaker, joining, allowsSignUp: signIn.allowsSignUp });
    }, goneIfUsed),
  );

  router.post(
    '/connect/:token',
    path,
    pages.openForm(async ({ ctx, person, visit }) => {
      if (person !== null) {
        await chat.connect(tokenOf(ctx), person);
        return { to: '/account/chats?done=connected' };
      }
      keepSession(ctx, cookies, await sessions.begin(await chat.enterAs(tokenOf(ctx)), visit));
      return { to: '/pushes' };
    }, goneIfUsed),
  );

  /** What connecting would mean, and how the accounts are called that it is about. */
  async function foresee({ words }: Frame, speaker: Speaker, person: Person) {
    const what = await chat.identities.foresee(speaker, person);
    const called = async (email: string) =>
      accountCalled(words, email, await chat.identities.nameFor({ email }));
    const from = what.means === 'move' ? await called(what.from) : '';
    return { what, to: await called(person.email), from };
  }
}

const tokenOf = ({ captures }: Asked['ctx']): string => captures?.[0] ?? '';

function goneIfUsed({ ctx, frame }: Pick<Asked, 'ctx' | 'frame'>): string | undefined {
  return ctx.status === 404 ? remarkPage(frame, frame.words.connect.gone) : undefined;
}
