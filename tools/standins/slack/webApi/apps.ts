import { newSecret } from '../ids.ts';
import { type Methods, Refused } from './method.ts';

export const apps: Methods = {
  'apps.connections.open': {
    by: 'app',
    scopes: ['connections:write'],
    run: ({ at, tickets }, app) => {
      const ticket = newSecret();
      tickets.set(ticket, app);
      return { url: `${at.url.replace('http', 'ws')}/link/?ticket=${ticket}&app_id=${app.id}` };
    },
  },
  'apps.uninstall': {
    by: 'bot',
    run: ({ clock }, grant, args) => {
      const { clientId, clientSecret } = grant.app;
      if (args.client_id !== clientId) throw new Refused('client_id_token_mismatch');
      if (args.client_secret !== clientSecret) throw new Refused('bad_client_secret');
      grant.state = 'account_inactive';
      clock.changed();
      return {};
    },
  },
};
