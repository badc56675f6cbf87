import { type Domain, DomainError, type Proof } from '../domain/index.ts';
import type { Http } from '../http/http.ts';
import { refusalText } from '../locales/wording.ts';
import type { Fields } from './forms.ts';
import type { PageRequest, SignedInPageRequest } from './pageRequest.ts';
import { stepUpPage } from './pages/account/stepUp.tsx';
import { pageOfForm } from './signInRequired.ts';

/** The fields in which a form brings a proof of who sent it, besides its own. */
const proofFields = ['stepUpPassword', 'stepUpCode', 'stepUpRecovery', 'stepUpPasskey'];

const isSignedIn = (request: PageRequest): request is SignedInPageRequest => request.signedIn !== null;

/**
 * Asks for a fresh sign-in where a form needs one, and then sends the same form again. Whether one is needed is decided by the
 * domain, which refuses the form.
 */
export function createStepUpPages(
  { confirmation, passkeys, singleSignOn }: Pick<Domain, 'confirmation' | 'passkeys' | 'singleSignOn'>,
  csrf: Pick<Http['csrf'], 'requireBrowser'>,
) {
  const wrongProofs = new WeakSet<DomainError>();

  /** Proves who sent a form, if it has a proof, and takes that out of its fields. */
  async function confirm(request: PageRequest): Promise<void> {
    if (!isSignedIn(request)) return;
    const { ctx, fields } = request;
    const proof = maybeProof(fields, () => csrf.requireBrowser(ctx));
    request.fields = withoutProof(fields);
    if (proof === undefined) return;
    await confirmation.confirm(request.signedIn, proof, request.client).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'unauthenticated') wrongProofs.add(error);
      throw error;
    });
  }

  /** The page that asks, where a form needs a fresh sign-in or brought a wrong proof; undefined for other refusals. */
  async function maybePage(request: PageRequest, error: unknown): Promise<string | undefined> {
    if (!(error instanceof DomainError) || !isSignedIn(request)) return undefined;
    const isWrong = wrongProofs.has(error);
    if (error.messageCode !== 'stepUpRequired' && !isWrong) return undefined;
    const { page, signedIn, fields, ctx } = request;
    const { csrf: _, ...entered } = fields;
    return stepUpPage(page, {
      ways: await confirmation.ways(signedIn),
      passkeyOptions: await passkeys.optionsOf(signedIn),
      providers: (await singleSignOn.list(signedIn)).filter(({ identities }) => identities.length > 0),
      email: signedIn.email,
      action: ctx.path,
      formPage: pageOfForm(ctx),
      fields: entered,
      problem: isWrong ? refusalText(page.messages, error) : undefined,
    });
  }

  return { confirm, maybePage };
}

function maybeProof(
  { stepUpPassword, stepUpCode, stepUpRecovery, stepUpPasskey }: Fields,
  browser: () => string,
): Proof | undefined {
  if (stepUpPassword !== undefined) return { password: stepUpPassword };
  if (stepUpPasskey !== undefined) return { passkey: stepUpPasskey, browser: browser() };
  const code = stepUpCode ?? stepUpRecovery;
  return code === undefined ? undefined : { code };
}

const withoutProof = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !proofFields.includes(name)));
