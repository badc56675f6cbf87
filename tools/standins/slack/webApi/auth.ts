import type { Methods } from './method.ts';

export const auth: Methods = {
  'auth.test': {
    by: 'bot',
    run: ({ at }, { team, enterprise, bot, botId }) => {
      const place = team ?? enterprise;
      const org = enterprise ?? team?.enterprise;
      return {
        url: `${at.url}/`,
        team: place?.name,
        user: bot.name,
        team_id: place?.id,
        user_id: bot.id,
        bot_id: botId,
        ...(org && { enterprise_id: org.id }),
        is_enterprise_install: enterprise !== undefined,
      };
    },
  },
  'auth.revoke': {
    by: 'bot',
    run: ({ clock }, grant, args) => {
      if (args.test === 'true' || args.test === '1') return { revoked: false };
      grant.state = 'token_revoked';
      clock.changed();
      return { revoked: true };
    },
  },
};
