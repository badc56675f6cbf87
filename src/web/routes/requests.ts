import { DomainError } from '../../domain/index.ts';
import { refusalText } from '../../locales/wording.ts';
import type { WebDependencies } from '../dependencies.ts';
import { isUserError } from '../forms.ts';
import { successText } from '../pageQuery.ts';
import type { SignedInPageRequest } from '../pageRequest.ts';
import { problemsIn } from '../pages/errorPage.tsx';
import type { NewRequest } from '../pages/requestForm.tsx';
import { requestsPage } from '../pages/requests.tsx';
import { knownPeople, requestInputOf, requestPlaces } from '../requestForm.ts';

/** The requests for secrets in the chats of an account, which can be sent and answered here as well as there. */
export function requestRoutes({ domain: { chat, requestLinks }, pages }: WebDependencies): void {
  const { requests, identities } = chat;

  pages.own('/requests', (request) => {
    const { declined, cancelled, form } = request.page.messages.requests;
    return show(request, { success: successText(request.ctx, { declined, cancelled, sent: form.sent }) });
  });

  pages.ownForm('/requests', { onRefusal: showProblems }, async ({ signedIn, fields }) => {
    await chat.requestSecret(signedIn, requestInputOf(fields));
    return { to: '/requests?done=sent' };
  });

  pages.ownForm('/requests/provide', { onRefusal: showEnded }, async ({ signedIn, fields: { id = '' } }) => {
    const token = await chat.createProvideLink(signedIn, id);
    return { to: `/compose/${token}` };
  });

  pages.ownForm('/requests/decline', { onRefusal: showEnded }, async ({ signedIn, fields: { id = '' } }) => {
    await requests.decline(id, await requests.chatUserFor(signedIn, id, 'provider'));
    return { to: '/requests?done=declined' };
  });

  pages.ownForm('/requests/cancel', { onRefusal: showEnded }, async ({ signedIn, fields: { id = '' } }) => {
    await requests.cancel(id, await requests.chatUserFor(signedIn, id, 'requester'));
    return { to: '/requests?done=cancelled' };
  });

  async function show(
    { page, signedIn }: SignedInPageRequest,
    result: { success?: string | undefined; problem?: string },
    entered: Pick<NewRequest, 'entered' | 'problems'> = {},
  ) {
    const [listed, users, links] = await Promise.all([
      requests.listFor({ account: signedIn }),
      identities.list(signedIn),
      requestLinks.list({ account: signedIn }),
    ]);
    const places = requestPlaces(users);
    const request = places.length > 0 ? { places, known: knownPeople(listed, places), ...entered } : null;
    return requestsPage(page, { ...listed, links, request, ...result });
  }

  /** The form as it was sent, with what is wrong with it. */
  function showProblems(request: SignedInPageRequest, error: unknown) {
    if (!isUserError(error)) return undefined;
    const { page, fields } = request;
    const { from, reason, dueInMinutes } = problemsIn(page, error);
    const people: Record<string, string | undefined> = {
      chatAddress: page.messages.requests.form.notMembers,
      self: refusalText(page.messages, error),
    };
    const [{ code } = { code: '' }] = error.problems.from ?? [];
    const problems = { people: people[code] ?? from, reason, due: dueInMinutes };
    return show(request, {}, { entered: fields, problems });
  }

  /** The requests that are still open, when this one has ended or never was theirs. */
  function showEnded(request: SignedInPageRequest, error: unknown) {
    if (!(error instanceof DomainError) || error.code !== 'not_found') return undefined;
    return show(request, { problem: request.page.messages.requests.ended });
  }
}
