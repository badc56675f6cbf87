import type { Domain } from '../domain/index.ts';
import { capturedToken } from '../http/params.ts';
import type { PageRequest } from './pageRequest.ts';
import { gonePage } from './pages/gone.tsx';

/** Shows the page of a link that opens nothing, with a way to ask for a new one where there is one. */
export function createShowGone({ canAskAgain }: Domain['pushes']) {
  return async ({ ctx, page, client }: PageRequest): Promise<string | undefined> => {
    if (ctx.status !== 404) return undefined;
    const token = capturedToken(ctx);
    return gonePage(page, { askPath: (await canAskAgain(token, client)) ? `/p/${token}/ask` : undefined });
  };
}
