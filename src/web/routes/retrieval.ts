import type { Router } from '@koa/router';
import type { Context } from 'koa';
import {
  type Asking,
  DomainError,
  isExpired,
  type Push,
  type Revealed,
  type Visit,
} from '../../domain/index.ts';
import type { ApiParts } from '../../http/app.ts';
import { RequestError } from '../../http/errors.ts';
import { locales, type Words, wordsOf } from '../locales/locales.ts';
import type { Asked, Fields } from '../pageHandlers.ts';
import { gonePage, remarkPage } from '../pages/messagePage.tsx';
import type { Frame } from '../pages/pageContext.ts';
import { stepPage } from '../pages/retrieval.tsx';
import { shownPage } from '../pages/secret.tsx';
import { createRepeats } from '../responseReplay.ts';

/** The page of a push: looking at it spends nothing while its retrieval step is on; the form on it reveals. */
export function retrievalRoutes(router: Router, parts: ApiParts): void {
  const { domain, links, pages, revealNonces } = parts;
  const { pushes } = domain;
  const repeats = createRepeats<Revealed>();

  router.get(
    '/p/:token',
    pagePath,
    pages.page(async ({ ctx, frame, visit }) => {
      const asking = strangers(visit);
      const push = await pushes.peek(tokenOf(ctx), asking);
      const revealsAtOnce =
        !push.retrievalStep && !push.hasPassphrase && ctx.method === 'GET' && !visit.isPreviewer;
      if (isExpired(push)) throw gone();
      if (revealsAtOnce) return shown(frame, await pushes.reveal(push.urlToken, undefined, asking));
      return step(ctx, frame, push);
    }, goneIfUnknown),
  );

  router.post(
    '/p/:token',
    pagePath,
    pages.provenForm(async ({ ctx, frame, visit, fields }) => {
      const asking = strangers(visit);
      const push = await pushes.peek(tokenOf(ctx), asking);
      const checked = revealNonces.check(ctx, push, fields.nonce ?? '');
      if (checked.state !== 'good') {
        if (isExpired(push)) return shown(frame, await pushes.reveal(push.urlToken, undefined, asking));
        ctx.status = checked.state === 'late' ? 409 : 403;
        return step(ctx, frame, push, frame.words.stepProblem[checked.state]);
      }
      const { passphrase } = fields;
      if (!push.hasPassphrase && !isTheWord(fields)) {
        ctx.status = 422;
        return step(ctx, frame, push, frame.words.stepProblem.word(frame.words.step.word));
      }
      const { once } = checked;
      const person = strangers({ ...visit, isPreviewer: false });
      const revealed = await repeats.once(once.toString('hex'), () =>
        pushes.reveal(push.urlToken, passphrase === '' ? undefined : passphrase, person, { once }),
      );
      return shown(frame, revealed);
    }, refusedReveal),
  );

  router.post(
    '/p/:token/delete',
    /^\/p\/([^/.]+)\/delete$/,
    pages.openForm(async ({ ctx, frame, visit }) => {
      await pushes.expire(tokenOf(ctx), strangers(visit));
      return remarkPage(frame, frame.words.deleted);
    }, goneIfUnknown),
  );

  router.post(
    '/p/:token/ask',
    /^\/p\/([^/.]+)\/ask$/,
    pages.openForm(async ({ ctx, frame, visit }) => {
      await pushes.askAgain(tokenOf(ctx), visit);
      return remarkPage(frame, frame.words.askedAgain);
    }, goneIfUnknown),
  );

  for (const path of formerPaths) {
    router.get(path, (ctx) => {
      ctx.status = 301;
      ctx.redirect(`${links.page({ urlToken: tokenOf(ctx) })}${ctx.search}`);
    });
  }

  function step(ctx: Context, frame: Frame, push: Push, problem?: string): string {
    const nonce = revealNonces.issue(ctx, push);
    return stepPage(frame, { asksPassphrase: push.hasPassphrase, nonce, problem });
  }

  /** The answer for a link that does not open, with the way to ask for a new one where there is one. */
  async function gonePageFor({ ctx, frame, visit }: Pick<Asked, 'ctx' | 'frame' | 'visit'>): Promise<string> {
    const token = tokenOf(ctx);
    const asking = (await pushes.canAskAgain(token, visit)) ? `/p/${token}/ask` : undefined;
    return gonePage(frame, { asking });
  }

  async function goneIfUnknown(asked: Asked): Promise<string | undefined> {
    return asked.ctx.status === 404 ? gonePageFor(asked) : undefined;
  }

  /** What was refused is asked for again, with what to do about it. */
  async function refusedReveal({ ctx, frame, visit }: Asked, error: unknown): Promise<string | undefined> {
    if (ctx.status === 404) return gonePageFor({ ctx, frame, visit });
    if (!(error instanceof DomainError)) return undefined;
    const { stepProblem, shownBefore } = frame.words;
    if (error.code === 'conflict') {
      const push = await pushes.peek(tokenOf(ctx), strangers(visit));
      return isExpired(push)
        ? remarkPage(frame, shownBefore)
        : step(ctx, frame, push, stepProblem.shownBefore);
    }
    if (error.fields.passphrase === undefined) return undefined;
    const push = await pushes.peek(tokenOf(ctx), strangers(visit));
    return step(ctx, frame, push, wrongPassphrase(frame.words, error));
  }
}

/** Anything with a dot in it is a file or a form of something else. */
const pagePath = /^\/p\/([^/.]+)$/;

/** Where the page of a push used to be: under the former names, with its step spelled out, or with a language in front. */
const formerPaths = [
  /^\/[fr]\/([0-9A-Za-z]+)$/,
  /^\/[pfr]\/([0-9A-Za-z]+)\/(?:r|passphrase)$/,
  /^\/[a-z]{2}(?:-[a-zA-Z]{2})?\/[pfr]\/([0-9A-Za-z]+)(?:\/(?:r|passphrase))?$/,
];

const confirmations = new Set(locales.map((locale) => wordsOf(locale).step.word));

/** A press that was held sends the word too. It may come in any language: the page's may have changed meanwhile. */
function isTheWord({ word = '' }: Fields): boolean {
  return confirmations.has(
    word
      .normalize('NFC')
      .trim()
      .toLowerCase()
      .replace(/^["“„]|["“”]$/g, ''),
  );
}

function tokenOf(ctx: Context): string {
  return ctx.captures?.[0] ?? '';
}

function shown(frame: Frame, { push, payload }: Revealed): string {
  if (payload === null) throw gone();
  return shownPage(frame, { push, payload });
}

function gone(): RequestError {
  return new RequestError(404, 'not-found');
}

/** What a link gives is the same for its maker as for everybody else. */
function strangers(visit: Visit): Asking {
  return { owner: null, visit };
}

function wrongPassphrase({ stepProblem }: Words, { triesLeft }: DomainError): string {
  const tries = triesLeft === undefined ? '' : ` ${stepProblem.triesLeft(triesLeft)}`;
  return `${stepProblem.wrongPassphrase}${tries}`;
}
