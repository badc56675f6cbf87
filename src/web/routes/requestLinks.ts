import { DomainError } from '../../domain/index.ts';
import { capturedToken } from '../../http/params.ts';
import { refusalText } from '../../locales/wording.ts';
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
    const done = input.to?.trim() ? 'created_by_mail' : 'created';
    return { to: `/requests/links/${id}?done=${done}` };
  });

  pages.own('/requests/links/:id', { pattern }, (request) => {
    const { created, createdByMail, closed } = request.page.messages.requestLinks;
    const { sent } = request.page.messages.pushes.byMail;
    const success = successText(request.ctx, { created, created_by_mail: createdByMail, closed, sent });
    return showLink(request, capturedToken(request.ctx), { success });
  });

  pages.ownForm('/requests/links/send', { onRefusal: showNotSent }, async ({ signedIn, fields }) => {
    const { id = '', to = '' } = fields;
    await requestLinks.sendAgain(signedIn, id, to);
    return { to: `/requests/links/${id}?done=sent` };
  });

  pages.ownForm('/requests/links/close', async ({ signedIn, fields: { id = '' } }) => {
    await requestLinks.close(signedIn, id);
    return { to: `/requests/links/${id}?done=closed` };
  });

  async function showLink(
    { page, signedIn }: SignedInPageRequest,
    id: string,
    result: { success?: string | undefined; problem?: string },
  ) {
    const found = await requestLinks.findWithAnswers({ account: signedIn }, id);
    const { urlToken } = found.link;
    const address = urlToken === null ? null : links.request(urlToken);
    return requestLinkPage(page, { ...found, address, ...result });
  }

  function showNotSent(request: SignedInPageRequest, error: unknown) {
    if (!(error instanceof DomainError) || !['too_many', 'invalid'].includes(error.code)) return undefined;
    return showLink(request, request.fields.id ?? '', { problem: refusalText(request.page.messages, error) });
  }

  function showProblems(request: SignedInPageRequest, error: unknown) {
    if (!isUserError(error)) return undefined;
    const { page, fields } = request;
    const problems = problemsIn(page, error);
    return newRequestLinkPage(page, { settings, ...may(request), entered: fields, problems });
  }
}
