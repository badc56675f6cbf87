import { capturedToken } from '../../http/params.ts';
import type { WebDependencies } from '../dependencies.ts';
import { isUserError } from '../forms.ts';
import { lifetimeMinutes } from '../lifetimes.ts';
import { successText } from '../pageQuery.ts';
import type { SignedInPageRequest } from '../pageRequest.ts';
import { problemsIn } from '../pages/errorPage.tsx';
import { newRequestLinkPage } from '../pages/newRequestLink.tsx';
import { requestLinkPage } from '../pages/requestLink.tsx';

const pattern = /^\/requests\/links\/([0-9a-f]{32})$/;

/** The request links of an account: creating them, their answers, and closing them. */
export function requestLinkRoutes({
  domain: { requestLinks, files, pushes },
  pages,
  links,
}: WebDependencies): void {
  const { settings } = pushes;
  const may = ({ signedIn, page }: SignedInPageRequest) => ({
    mayAttach: files.canAttach(signedIn),
    maySeal: settings.allowEncrypted && page.isSecure,
  });

  pages.own('/requests/links/new', (request) =>
    newRequestLinkPage(request.page, { settings, ...may(request) }),
  );

  pages.ownForm('/requests/links/new', { onRefusal: showProblems }, async ({ signedIn, client, fields }) => {
    const { expires = '', answersExpireAfterDays, ...input } = fields;
    const { id } = await requestLinks.create(
      { account: signedIn, client },
      { ...input, expireAfterMinutes: lifetimeMinutes(expires), answersExpireAfterDays },
    );
    return { to: `/requests/links/${id}?done=created` };
  });

  pages.own('/requests/links/:id', { pattern }, async ({ ctx, page, signedIn }) => {
    const { created, closed } = page.messages.requestLinks;
    const caller = { account: signedIn };
    const found = await requestLinks.findWithAnswers(caller, capturedToken(ctx));
    const { urlToken } = found.link;
    return requestLinkPage(page, {
      ...{ ...found, success: successText(ctx, { created, closed }) },
      address: urlToken === null ? null : links.request(urlToken),
    });
  });

  pages.ownForm('/requests/links/close', async ({ signedIn, fields: { id = '' } }) => {
    await requestLinks.close(signedIn, id);
    return { to: `/requests/links/${id}?done=closed` };
  });

  function showProblems(request: SignedInPageRequest, error: unknown) {
    if (!isUserError(error)) return undefined;
    const { page, fields } = request;
    const problems = problemsIn(page, error);
    return newRequestLinkPage(page, { settings, ...may(request), entered: fields, problems });
  }
}
