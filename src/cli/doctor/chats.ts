import type { TokenCheck } from '../../bots/tokenCheck.ts';
import { type Config, discordSettings, slackSettings } from '../../config.ts';
import { type Finding, report } from './finding.ts';

/** Whether the chats accept the tokens. Their libraries are only loaded for chats that are on. */
export async function checkTokens(config: Config): Promise<Finding[]> {
  const [slack, discord] = [slackSettings(config), discordSettings(config)];
  const checks = await Promise.all([
    slack === undefined
      ? []
      : (await import('../../bots/slack/checkTokens.ts'))
          .checkSlackTokens(slack)
          .then((found) => found.map((check) => findingOf('Slack', check))),
    discord === undefined
      ? []
      : (await import('../../bots/discord/checkToken.ts'))
          .checkDiscordToken(discord)
          .then((found) => found.map((check) => findingOf('Discord', check))),
  ]);
  return checks.flat();
}

function findingOf(chat: string, { setting, result, reason = '' }: TokenCheck): Finding {
  if (result === 'accepted') return report('tokenAccepted', { chat, setting });
  return report(result === 'refused' ? 'tokenRefused' : 'tokenUnchecked', { chat, setting, reason });
}
