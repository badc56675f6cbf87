import type { TokenCheck } from '../../bots/tokenCheck.ts';
import { type Finding, failure, ok, warning } from '../../config/checks.ts';
import { type Config, discordSettings, slackSettings } from '../../config.ts';

/** Whether the chats accept the tokens. Their libraries are only loaded for chats that are on. */
export async function checkTokens(config: Config): Promise<Finding[]> {
  const [slack, discord] = [slackSettings(config), discordSettings(config)];
  const [ofSlack, ofDiscord] = await Promise.all([
    slack === undefined
      ? []
      : import('../../bots/slack/checkTokens.ts').then(({ checkSlackTokens }) => checkSlackTokens(slack)),
    discord === undefined
      ? []
      : import('../../bots/discord/checkToken.ts').then(({ checkDiscordToken }) =>
          checkDiscordToken(discord),
        ),
  ]);
  return [
    ...ofSlack.map((check) => findingOf('Slack', check)),
    ...ofDiscord.map((check) => findingOf('Discord', check)),
  ];
}

function findingOf(chat: string, { setting, result, reason = '' }: TokenCheck): Finding {
  if (result === 'accepted') return ok('tokenAccepted', setting, `${chat} accepts it`);
  if (result === 'refused')
    return failure(
      'tokenRefused',
      setting,
      `${chat} refuses it: ${reason}`,
      `Copy it again from the settings of the app at ${chat}.`,
    );
  return warning(
    'tokenUnchecked',
    setting,
    `cannot be checked: ${chat} is out of reach (${reason})`,
    'Check that this machine may connect to the internet.',
  );
}
