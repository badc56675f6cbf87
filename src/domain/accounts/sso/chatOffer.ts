import type { Tx } from '../../../database/database.ts';
import { isChatAddress } from '../../../platforms.ts';
import type { OneTimeLinks } from '../../base/index.ts';
import { type Account, type ChatUser, shortName } from '../../people/index.ts';
import type { ProviderRules } from './provider.ts';

/** A chat user whom their chat's own provider vouches for, with their name and that of their workspace. */
export type ProvedChatUser = { chatUser: ChatUser; name: string; workspace: string };

/** To which account a chat user may be linked, once its owner confirms. */
export type ChatOffer = ProvedChatUser & { account: string };

/** As long as the columns of addresses. */
const addressMax = 100;

/** Whom Slack's provider says that somebody is in Slack; undefined for other providers. */
export function slackUserIn(
  { linksSlack }: Pick<ProviderRules, 'linksSlack'>,
  claims: Record<string, unknown>,
): ProvedChatUser | undefined {
  const textOf = (claim: string) => (typeof claims[claim] === 'string' ? String(claims[claim]) : '');
  const [team, user] = [textOf('https://slack.com/team_id'), textOf('https://slack.com/user_id')];
  const address = `${team}:${user}`;
  if (!linksSlack || !isChatAddress('slack', address) || address.length > addressMax) return undefined;
  return {
    chatUser: { platform: 'slack', address },
    name: shortName(textOf('name') || user),
    workspace: shortName(textOf('https://slack.com/team_name') || team),
  };
}

/** Creates a token by which the owner of an account, and nobody else, may link a chat user to it within fifteen minutes. */
export const offerChat = (
  links: Pick<OneTimeLinks, 'create'>,
  account: Pick<Account, 'id'>,
  proved: ProvedChatUser,
  tx?: Tx,
): Promise<string> =>
  links.create('linkChat', { ...proved, account: account.id.toString('hex') } satisfies ChatOffer, tx);
