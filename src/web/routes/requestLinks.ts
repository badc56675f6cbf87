import { DomainError, passkeyThatOpens, type RequestLink, type SignedIn } from '../../domain/index.ts';
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
  domain: { requestLinks, files, pushes, passkeys },
  pages,
  links,
}: WebDependencies): void {
  const { settings } = pushes;

  async function choicesOf({ signedIn, page }: SignedInPageRequest) {
    const options = await passkeys.optionsOf(signedIn);
    return {
      settings,
      mayAttach: files.canAttach(signedIn),
      maySeal: settings.allowEncrypted && page.isSecure,
      passkeyOptions: options.allowCredentials.length === 0 ? undefined : options,
    };
  }

  pages.own('/requests/links/new', async (request) =>
    newRequestLinkPage(request.page, await choicesOf(request)),
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
    const passkey = await passkeyOf(signedIn, found.link);
    return requestLinkPage(page, { ...found, address, passkey, ...result });
  }

  function showNotSent(request: SignedInPageRequest, error: unknown) {
    if (!(error instanceof DomainError) || !['too_many', 'invalid'].includes(error.code)) return undefined;
    return showLink(request, request.fields.id ?? '', { problem: refusalText(request.page.messages, error) });
  }

  /** The passkey that opens the answers to a link; undefined if none does. One that was removed has no name. */
  async function passkeyOf(account: SignedIn, link: RequestLink) {
    const id = passkeyThatOpens(link);
    if (id === undefined) return undefined;
    const { allowCredentials, ...options } = await passkeys.optionsOf(account);
    const known = allowCredentials.find((each) => each.id === id) ?? { type: 'public-key', id };
    const registered = (await passkeys.list(account)).find(({ credentialId }) => credentialId === id);
    return { name: registered?.name, options: { ...options, allowCredentials: [known] } };
  }

  async function showProblems(request: SignedInPageRequest, error: unknown) {
    if (!isUserError(error)) return undefined;
    const { page, fields } = request;
    const problems = problemsIn(page, error);
    return newRequestLinkPage(page, { ...(await choicesOf(request)), entered: fields, problems });
  }
}
