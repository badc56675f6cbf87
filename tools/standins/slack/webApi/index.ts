import type { Fields } from '../../shared/json.ts';
import type { Platform } from '../platform.ts';
import type { App, Grant } from '../things.ts';
import { apps } from './apps.ts';
import { auth } from './auth.ts';
import { chat } from './chat.ts';
import { conversations } from './conversations.ts';
import { files } from './files.ts';
import { type Method, type Methods, Refused, TooMany } from './method.ts';
import { oauth } from './oauth.ts';
import { usergroups } from './usergroups.ts';
import { users } from './users.ts';
import { views } from './views.ts';

const methods: Methods = {
  ...apps,
  ...auth,
  ...chat,
  ...conversations,
  ...files,
  ...oauth,
  ...usergroups,
  ...users,
  ...views,
};

export type ApiResponse = { status: number; headers: Record<string, string>; body: Fields };

/** Responds to a call of the Web API, and complains if it was the app's mistake. */
export function callMethod(
  platform: Platform,
  name: string,
  args: Fields,
  token: string | undefined,
): ApiResponse {
  try {
    const method = methods[name];
    if (!method)
      throw new Refused('unknown_method', { complaint: `${name} is no method that this Slack knows` });
    const { body, scopes } = run(platform, name, method, args, token);
    return { status: 200, headers: scopes, body: { ok: true, ...body } };
  } catch (error) {
    if (error instanceof TooMany) return tooMany(error.retryAfterSeconds);
    if (!(error instanceof Refused)) throw error;
    if (error.complaint !== undefined) platform.recordings.complain(error.complaint);
    return { status: 200, headers: {}, body: { ok: false, error: error.code, ...error.more } };
  }
}

export function tooMany(retryAfterSeconds: number): ApiResponse {
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return { status: 429, headers, body: { ok: false, error: 'ratelimited' } };
}

function run(platform: Platform, name: string, method: Method, args: Fields, token: string | undefined) {
  if (method.by === 'anyone') return { body: method.run(platform, args), scopes: {} };
  if (token === undefined) {
    throw new Refused('not_authed', { complaint: `${name} came without a token` });
  }
  if (method.by === 'app') {
    const app = appBy(platform, name, token);
    requireScope(name, method.scopes, app.appScopes);
    return { body: method.run(platform, app), scopes: {} };
  }
  const grant = grantBy(platform, name, token);
  requireScope(name, method.scopes, grant.scopes);
  const scopes = {
    'x-oauth-scopes': grant.scopes.join(','),
    'x-accepted-oauth-scopes': (method.scopes ?? []).join(','),
  };
  return { body: method.run(platform, grant, args), scopes };
}

function appBy({ world }: Platform, name: string, token: string): App {
  const app = world.apps.find(({ appToken }) => appToken === token);
  if (app) return app;
  const code = world.tokens.has(token) ? 'not_allowed_token_type' : 'invalid_auth';
  throw new Refused(code, { complaint: `${name} came with a token that is no app's` });
}

function grantBy({ world, clock }: Platform, name: string, token: string): Grant {
  const found = world.tokens.get(token);
  if (!found) {
    const code = world.apps.some(({ appToken }) => appToken === token)
      ? 'not_allowed_token_type'
      : 'invalid_auth';
    throw new Refused(code, { complaint: `${name} came with a token that Slack never gave out for it` });
  }
  if (found.grant.state !== 'live') throw new Refused(found.grant.state);
  if (found.expiresAt <= clock.now()) throw new Refused('token_expired');
  return found.grant;
}

function requireScope(name: string, needed: string[] = [], provided: string[]): void {
  if (needed.length === 0 || needed.some((scope) => provided.includes(scope))) return;
  throw new Refused('missing_scope', {
    more: { needed: needed.join(','), provided: provided.join(',') },
    complaint: `${name} needs the scope ${needed.join(' or ')}, the token has ${provided.join(', ') || 'none'}`,
  });
}
