import type { AuthorizeResult, AuthorizeSourceData, InstallationQuery, webApi } from '@slack/bolt';
import { AuthorizationError, type InstallProvider } from '@slack/oauth';
import { asRefusal, type Domain } from '../../domain/index.ts';
import { NotInstalled, workspaceOf } from './installations.ts';
import { createWebClient } from './restClient.ts';
import type { SlackSettings } from './settings.ts';

type Query = InstallationQuery<boolean>;

/** Why nothing can be done for somebody: nobody installed the app there, or we cannot know. */
export type Obstacle = 'not installed' | 'unavailable';

export type Authorization = ReturnType<typeof createAuthorization>;

const freshMs = 60_000;
const staleMs = 12 * 3_600_000;
const lookWithinMs = 600;
const rememberedMax = 10_000;

/**
 * The tokens that we may act with in a workspace. They are remembered for a minute, and for longer while the database is
 * slow or away: Slack waits three seconds for an answer, and no longer.
 */
export function createAuthorization({
  settings,
  installer,
  chat,
}: {
  settings: SlackSettings;
  installer: InstallProvider | undefined;
  chat: Domain['chat'];
}) {
  const remembered = new Map<string, { at: number; result: AuthorizeResult }>();

  async function look(query: Query): Promise<AuthorizeResult> {
    if (installer === undefined) return { botToken: settings.botToken ?? '' };
    const key = workspaceOf(query);
    const known = remembered.get(key);
    const ageMs = known === undefined ? Number.POSITIVE_INFINITY : performance.now() - known.at;
    if (known !== undefined && ageMs < freshMs) return known.result;
    const looking = installer.authorize(query).then((result) => remember(key, { ...result }));
    if (known === undefined || ageMs > staleMs) return looking;
    return Promise.race([looking, later(known.result)]).catch((error) => {
      if (isNotInstalled(error)) throw error;
      return known.result;
    });
  }

  function remember(key: string, result: AuthorizeResult): AuthorizeResult {
    if (remembered.size >= rememberedMax) remembered.clear();
    remembered.set(key, { at: performance.now(), result });
    return result;
  }

  /** For Bolt: never fails, but names the obstacle, so that whoever acts can be told. */
  async function authorize(source: AuthorizeSourceData<boolean>): Promise<AuthorizeResult> {
    const { isEnterpriseInstall, enterpriseId, teamId } = source;
    try {
      return await Promise.race([look({ isEnterpriseInstall, enterpriseId, teamId }), tooSlow()]);
    } catch (error) {
      const obstacle: Obstacle = isNotInstalled(error) ? 'not installed' : 'unavailable';
      return { ...(enterpriseId && { enterpriseId }), ...(teamId && { teamId }), obstacle };
    }
  }

  /** A client for a workspace, or an organisation; undefined where nobody installed the app. */
  async function clientFor(workspace: string): Promise<webApi.WebClient | undefined> {
    const isEnterpriseInstall = workspace.startsWith('E');
    try {
      const { botToken = '' } = await look({
        isEnterpriseInstall,
        enterpriseId: isEnterpriseInstall ? workspace : undefined,
        teamId: isEnterpriseInstall ? undefined : workspace,
      });
      return createWebClient(settings, botToken);
    } catch (error) {
      if (isNotInstalled(error)) return undefined;
      throw asRefusal((error as AuthorizationError).original) ?? error;
    }
  }

  /** Forgets the installation of a workspace, for Slack says that its token is worth nothing; not one that came since. */
  async function forget(workspace: string, token: string | undefined): Promise<void> {
    remembered.delete(workspace);
    if (installer === undefined) return;
    const now = await chat.installations.maybeFind<{ bot?: { token?: string } }>('slack', { workspace });
    if (now?.bot?.token === token) await chat.installations.remove('slack', workspace);
  }

  return { authorize, clientFor, forget, drop: (workspace: string) => void remembered.delete(workspace) };
}

function isNotInstalled(error: unknown): boolean {
  return error instanceof AuthorizationError && error.original instanceof NotInstalled;
}

async function later<T>(value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(() => resolve(value), lookWithinMs));
}

async function tooSlow(): Promise<never> {
  return new Promise((_resolve, reject) =>
    setTimeout(() => reject(new Error('too slow')), lookWithinMs + 100),
  );
}
