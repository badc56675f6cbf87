import type { Fields } from '../../shared/json.ts';
import type { Platform } from '../platform.ts';
import type { App, Grant } from '../things.ts';
import { type Methods, Refused } from './method.ts';

export const oauth: Methods = {
  'oauth.v2.access': {
    by: 'anyone',
    run: (platform, args) => {
      const app = requireApp(platform, args);
      const isRefresh = args.grant_type === 'refresh_token';
      return presentGrant(isRefresh ? refresh(platform, app, args) : exchange(platform, app, args));
    },
  },
};

function requireApp({ world }: Platform, args: Fields): App {
  const app = world.apps.find(({ clientId }) => clientId === args.client_id);
  if (!app)
    throw new Refused('invalid_client_id', { complaint: 'oauth.v2.access with an unknown client_id' });
  if (app.clientSecret !== args.client_secret) {
    throw new Refused('bad_client_secret', { complaint: 'oauth.v2.access with a wrong client_secret' });
  }
  return app;
}

/** Exchanges a code for an installation: once, within ten minutes, with the redirect URL of the request for it. */
function exchange({ world, clock }: Platform, app: App, { code, redirect_uri }: Fields): Grant {
  const found = world.codes.get(String(code));
  if (found?.app !== app || found.expiresAt <= clock.now()) throw new Refused('invalid_code');
  if (found.used) throw new Refused('code_already_used');
  if (redirect_uri !== undefined && redirect_uri !== found.redirectUri) throw new Refused('bad_redirect_uri');
  found.used = true;
  return world.addGrant(app, found.place, found.scopes, found.user);
}

/** The old access token stays valid until it expires. The old refresh token does not. */
function refresh({ world }: Platform, app: App, { refresh_token }: Fields): Grant {
  const grant = world.grants.find((one) => one.app === app && one.refreshToken === refresh_token);
  if (!grant || refresh_token === undefined) throw new Refused('invalid_refresh_token');
  if (grant.state !== 'live') throw new Refused('invalid_refresh_token');
  world.renew(grant);
  return grant;
}

function presentGrant({ app, token, refreshToken, scopes, team, enterprise, installer, bot }: Grant): Fields {
  const org = enterprise ?? team?.enterprise;
  return {
    app_id: app.id,
    authed_user: { id: installer?.id },
    scope: scopes.join(','),
    token_type: 'bot',
    access_token: token,
    bot_user_id: bot.id,
    team: team ? { id: team.id, name: team.name } : null,
    enterprise: org ? { id: org.id, name: org.name } : null,
    is_enterprise_install: enterprise !== undefined,
    ...(refreshToken !== undefined && { refresh_token: refreshToken, expires_in: app.tokenLifeSeconds }),
  };
}
