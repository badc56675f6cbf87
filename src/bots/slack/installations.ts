import type { Installation, InstallationQuery, InstallationStore, StateStore } from '@slack/bolt';
import { InstallProvider } from '@slack/oauth';
import type { Domain } from '../../domain/index.ts';
import { silentLogger, slackClientOptions } from './restClient.ts';
import type { SlackSettings } from './settings.ts';

type Chat = Domain['chat'];
type AnyInstallation = Installation<'v1' | 'v2', boolean>;
type Query = InstallationQuery<boolean>;

/** What lets us fetch the files of messages and forms. */
export const filesScope = 'files:read';

/** The scopes of the app: commands, direct messages, and who is an admin. */
const scopesOf = ({
  SLACK_FILES: readsFiles,
  SLACK_USER_GROUPS: readsUserGroups,
}: SlackSettings): string[] => [
  ...['commands', 'chat:write', 'users:read'],
  ...(readsFiles ? [filesScope] : []),
  ...(readsUserGroups ? ['usergroups:read'] : []),
];

const refreshBeforeSeconds = 2 * 3_600; // as early as the provider does it

/** Slack's own library for installations, over our database. */
export function createInstaller(chat: Chat, settings: SlackSettings): InstallProvider {
  const { SLACK_CLIENT_ID: clientId = '', SLACK_CLIENT_SECRET: clientSecret = '', baseUrl } = settings;
  return new InstallProvider({
    clientId,
    clientSecret,
    authorizationUrl: settings.SLACK_AUTHORIZE_URL,
    directInstall: true,
    installUrlOptions: { scopes: scopesOf(settings), redirectUri: `${baseUrl}/slack/oauth_redirect` },
    installationStore: createStore(chat),
    stateStore: createStateStore(chat),
    stateCookieName: `${baseUrl.startsWith('https:') ? '__Host-' : 'hushpush-'}slack-install`,
    clientOptions: slackClientOptions(settings),
    logger: silentLogger,
  });
}

/** The workspace of an installation; an organisation that installed the app for all its workspaces counts as one. */
export function workspaceOf(of: { [Name in keyof Query]?: Query[Name] | undefined }): string {
  return (of.isEnterpriseInstall ? of.enterpriseId : of.teamId) ?? of.enterpriseId ?? '';
}

function createStore({ installations, deduplication }: Chat): InstallationStore {
  const asQuery = ({ isEnterpriseInstall = false, enterprise, team }: AnyInstallation): Query => ({
    isEnterpriseInstall,
    enterpriseId: enterprise?.id,
    teamId: team?.id,
  });

  /** One process renews a token that is about to expire, while the others use it: each renewal invalidates the token before. */
  async function withoutRenewal(found: AnyInstallation): Promise<AnyInstallation> {
    const expiresAt = found.bot?.expiresAt;
    const now = Date.now() / 1_000;
    if (found.bot === undefined || expiresAt === undefined || expiresAt - now > refreshBeforeSeconds)
      return found;
    const minute = Math.floor(now / 60);
    const mayRenew = await deduplication.isNew(`slack renewal ${found.bot.userId} ${expiresAt} ${minute}`);
    if (mayRenew || expiresAt <= now) return found;
    const { refreshToken: _, expiresAt: __, ...bot } = found.bot;
    return { ...found, bot };
  }

  return {
    async storeInstallation(installation) {
      const { team, enterprise, user, isEnterpriseInstall } = installation;
      const target = {
        workspace: workspaceOf(asQuery(installation)),
        userId: user.id,
        label: (isEnterpriseInstall ? enterprise : team)?.name,
      };
      await installations.store('slack', target, installation);
    },
    async fetchInstallation(query) {
      const found = await installations.maybeFind<AnyInstallation>('slack', {
        workspace: workspaceOf(query),
      });
      if (found === undefined) throw new NotInstalled();
      // biome-ignore lint/suspicious/noExplicitAny: the library's type depends on what was asked for
      return (await withoutRenewal(found)) as any;
    },
    async deleteInstallation(query) {
      await installations.remove('slack', workspaceOf(query));
    },
  };
}

/** The app was never installed there, or was removed. */
export class NotInstalled extends Error {}

/** A state is 256 random bits and works for one callback within ten minutes. The library binds it to a cookie. */
function createStateStore({ links }: Chat): StateStore {
  return {
    generateStateParam: (options) => links.create('oauth', options),
    verifyStateParam: (_now, state) => links.redeem('oauth', state),
  };
}
