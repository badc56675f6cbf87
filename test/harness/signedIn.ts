import { Secret, TOTP } from 'otpauth';
import type { Account, Domain, SignedIn } from '../../src/domain/index.ts';
import { byPassword, someClient } from './service.ts';

const stepMs = 30_000;

/** The app on somebody's phone, by the key that they typed into it. Its clock is that of the database; `steps` sets it off. */
export function openApp({ clock }: Pick<Domain, 'clock'>, key: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) });
  return { code: async (steps = 0) => totp.generate({ timestamp: (await clock()) + steps * stepMs }) };
}

export type App = ReturnType<typeof openApp>;

/** Sets up an app. The code of the step before confirms it, so that the current one can still be used. */
export async function setUpApp(domain: Domain, signedIn: SignedIn) {
  const { enrolment, secret } = await domain.factors.beginApp(signedIn);
  const app = openApp(domain, secret);
  const recoveryCodes = await domain.factors.confirmApp(
    signedIn,
    { enrolment, code: await app.code(-1) },
    someClient,
  );
  return { app, recoveryCodes };
}

/** Who holds a session. */
export async function holderOf({ sessions }: Pick<Domain, 'sessions'>, token: string): Promise<SignedIn> {
  const found = await sessions.authenticate(token);
  if (found === null) throw new Error('the session has ended');
  return found;
}

/** An account in a browser that has just signed in to it. */
export const freshlySignedIn = async <Who extends Account>(
  domain: Domain,
  account: Who,
): Promise<Who & SignedIn> => ({
  ...account,
  ...(await holderOf(domain, await domain.sessions.create(account, someClient, byPassword))),
});
