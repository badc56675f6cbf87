import { DomainError } from '../../../domain/index.ts';
import { one } from '../../../http/params.ts';
import { refusalText } from '../../../locales/wording.ts';
import type { WebDependencies } from '../../dependencies.ts';
import type { SignedInPageRequest } from '../../pageRequest.ts';
import { recoveryCodesPage } from '../../pages/account/factors.tsx';
import { newPasskeyPage, passkeysPath, renamePasskeyPage } from '../../pages/account/passkeys.tsx';
import { problemsIn } from '../../pages/errorPage.tsx';
import { factorsPath } from '../../secondFactor.ts';

/** The passkeys of an account, and what browsers have them sign. */
export function passkeyRoutes({ domain: { factors, passkeys }, pages, csrf }: WebDependencies): void {
  /** For the scripts of our pages, each time that they ask for a passkey. */
  pages.leaving('/passkeys/challenge', async ({ ctx }) => {
    const challenge = await passkeys.challenge(csrf.requireBrowser(ctx));
    ctx.type = 'json';
    return JSON.stringify({ challenge });
  });

  pages.settingUpForm(`${passkeysPath}/new`, (request) => show(request));

  pages.settingUpForm(
    passkeysPath,
    { onRefusal: showProblem },
    async ({ ctx, page, signedIn, client, fields: { name = '', passkey = '' } }) => {
      const created = { name, passkey, browser: csrf.requireBrowser(ctx) };
      const codes = await factors.addPasskey(signedIn, created, client);
      if (codes.length === 0) return { to: `${factorsPath}?done=passkeyAdded` };
      return recoveryCodesPage(page, codes, page.messages.passkeys.added);
    },
  );

  pages.settingUp(`${passkeysPath}/rename`, (request) => showName(request, one(request.ctx.query.id)));

  pages.settingUpForm(
    `${passkeysPath}/rename`,
    { onRefusal: showNameProblem },
    async ({ signedIn, client, fields: { id = '', name = '' } }) => {
      await factors.renamePasskey(signedIn, { id, name }, client);
      return { to: `${factorsPath}?done=passkeyRenamed` };
    },
  );

  pages.settingUpForm(`${passkeysPath}/remove`, async ({ signedIn, client, fields: { id = '' } }) => {
    await factors.removePasskey(signedIn, id, client);
    return { to: `${factorsPath}?done=removed` };
  });

  async function show(
    { page, signedIn, fields: { name } }: SignedInPageRequest,
    problem?: string,
    field?: string,
  ) {
    const options = await factors.beginPasskey(signedIn);
    return newPasskeyPage(page, { options, name, problem, nameProblem: field });
  }

  async function showName(
    { page, signedIn, fields }: SignedInPageRequest,
    id: string | undefined,
    problem?: string,
  ) {
    const passkey = (await passkeys.list(signedIn)).find((each) => each.id === id);
    if (passkey === undefined) throw new DomainError('not_found', 'factorNotFound');
    return renamePasskeyPage(page, { passkey, name: fields.name ?? passkey.name, problem });
  }

  function showNameProblem(request: SignedInPageRequest, error: unknown) {
    const { name } = problemsIn(request.page, error);
    return name === undefined ? undefined : showName(request, request.fields.id, name);
  }

  function showProblem(request: SignedInPageRequest, error: unknown) {
    const { name } = problemsIn(request.page, error);
    if (name !== undefined) return show(request, undefined, name);
    const isWrong = error instanceof DomainError && ['unauthenticated', 'conflict'].includes(error.code);
    return isWrong ? show(request, refusalText(request.page.messages, error)) : undefined;
  }
}
