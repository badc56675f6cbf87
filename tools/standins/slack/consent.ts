import { newSecret } from './ids.ts';
import type { Platform } from './platform.ts';
import type { Enterprise, Team, User } from './things.ts';

const lifeMs = 10 * 60_000;

export type Decision = { user: User; place?: Team | Enterprise | undefined } | 'deny';

/** The error of an authorize URL, if any. */
function faultOfAuthorizeUrl({ world }: Platform, url: URL): string | undefined {
  const { app, redirectUri } = readAuthorizeUrl(world, url);
  if (!app) return 'invalid_client_id';
  if (!url.searchParams.get('scope') && !url.searchParams.get('user_scope')) return 'missing_scope';
  if (redirectUri === undefined) return 'missing_redirect_uri';
  const isAllowed =
    app.redirectUrls.length === 0 || app.redirectUrls.some((allowed) => redirectUri.startsWith(allowed));
  return isAllowed ? undefined : 'bad_redirect_uri';
}

/** The URL that the browser is redirected to after the user's decision. */
export function decide(platform: Platform, authorizeUrl: string, decision: Decision): string {
  const { world, clock } = platform;
  const url = new URL(authorizeUrl);
  const { app, redirectUri } = readAuthorizeUrl(world, url);
  const fault = faultOfAuthorizeUrl(platform, url);
  if (fault !== undefined || !app || redirectUri === undefined)
    throw new Error(`Slack shows an error: ${fault}`);
  const back = new URL(redirectUri);
  if (decision === 'deny') back.searchParams.set('error', 'access_denied');
  else {
    const code = newSecret();
    const { user, place = user.team } = decision;
    const scopes = (url.searchParams.get('scope') ?? '').split(/[,\s]+/).filter(Boolean);
    world.codes.set(code, {
      app,
      place,
      user,
      scopes,
      redirectUri,
      expiresAt: clock.now() + lifeMs,
      used: false,
    });
    back.searchParams.set('code', code);
  }
  const state = url.searchParams.get('state');
  if (state !== null) back.searchParams.set('state', state);
  return back.href;
}

/** The consent page. Its buttons post a decision to the same path. */
export function consentPage(platform: Platform, url: URL): { status: number; html: string } {
  const fault = faultOfAuthorizeUrl(platform, url);
  if (fault !== undefined)
    return { status: 400, html: `<!doctype html><title>Slack</title><h1>${fault}</h1>` };
  const button = (decision: string, label: string) =>
    `<form method="post"><button name="decision" value="${decision}">${label}</button></form>`;
  const { app } = readAuthorizeUrl(platform.world, url);
  const html = `<!doctype html><title>Slack</title><h1>${app?.name} wants to be installed</h1>${button('allow', 'Allow')}${button('deny', 'Cancel')}`;
  return { status: 200, html };
}

function readAuthorizeUrl(world: Platform['world'], { searchParams }: URL) {
  const app = world.apps.find(({ clientId }) => clientId === searchParams.get('client_id'));
  return { app, redirectUri: searchParams.get('redirect_uri') ?? app?.redirectUrls[0] };
}
