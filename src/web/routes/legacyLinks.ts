import { capturedToken } from '../../http/params.ts';
import type { WebDependencies } from '../dependencies.ts';

/** Where the page of a push once was: under /f or /r, with its retrieval step spelled out, or with a language in front. */
const legacyPaths = [
  /^\/[fr]\/([0-9A-Za-z]+)$/,
  /^\/[pfr]\/([0-9A-Za-z]+)\/(?:r|passphrase)$/,
  /^\/[a-z]{2}(?:-[a-zA-Z]{2})?\/[pfr]\/([0-9A-Za-z]+)(?:\/(?:r|passphrase))?$/,
];

export function legacyLinkRoutes({ router, links }: WebDependencies): void {
  for (const path of legacyPaths) {
    router.get(path, (ctx) => {
      ctx.status = 301;
      ctx.redirect(`${links.page({ urlToken: capturedToken(ctx) })}${ctx.search}`);
    });
  }
}
