import type { Context } from 'koa';
import { RequestError } from '../http/errors.ts';
import type { Http } from '../http/http.ts';
import type { SignedInVisitor, Visitor } from './pageRequest.ts';
import { SignInRequired } from './signInRequired.ts';

/** Who may ask for a page of each kind. */
export function createVisitors({ auth }: Pick<Http, 'auth'>) {
  /** Whoever it is. Sessions are ignored. */
  async function anonymous(ctx: Context): Promise<Visitor> {
    const { client } = await auth.anonymous(ctx);
    return { signedIn: null, client };
  }

  /** Somebody who is signed in or not. Those who must set up a second factor first may only do that, and leave. */
  const anybody = (ctx: Context) => auth.maybeSignedIn(ctx);
  const leaving = (ctx: Context) => auth.maybeSignedIn(ctx, true);

  async function requireSignedIn(ctx: Context, isSettingUp: boolean): Promise<SignedInVisitor> {
    const { signedIn, client } = await auth.maybeSignedIn(ctx, isSettingUp);
    if (signedIn === null) throw new SignInRequired();
    return { signedIn, client };
  }

  const owner = (ctx: Context) => requireSignedIn(ctx, false);
  const settingUp = (ctx: Context) => requireSignedIn(ctx, true);

  async function admin(ctx: Context): Promise<SignedInVisitor> {
    const visitor = await owner(ctx);
    if (!visitor.signedIn.isAdmin) throw new RequestError(404, 'not-found');
    return visitor;
  }

  return { anonymous, anybody, leaving, owner, settingUp, admin };
}
