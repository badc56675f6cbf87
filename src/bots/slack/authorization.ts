import type { App, AuthorizeResult, AuthorizeSourceData, InstallationQuery, webApi } from '@slack/bolt';
import { AuthorizationError, type InstallProvider } from '@slack/oauth';
import { type Domain, toRefusal } from '../../domain/index.ts';
import { withinTime } from '../../retry.ts';
import { hourMs, minuteMs } from '../../time.ts';
import { NotInstalled, workspaceOf } from './installations.ts';
import { createWebClient } from './restClient.ts';
import type { SlackSettings } from './settings.ts';

type Query = InstallationQuery<boolean>;

/** Why we have no token: nobody installed the app in the workspace, or the database did not answer. */
export type AuthorizationFailure = 'not installed' | 'unavailable';

export type Authorization = ReturnType<typeof createAuthorization>;

const freshForMs = minuteMs;
const staleAfterMs = 12 * hourMs;
const lookupTimeoutMs = 600;
const cacheMax = 10_000;

/** The tokens of workspaces, cached for a minute, and longer while the database is slow or away: Slack waits three seconds. */
export function createAuthorization({
  settings,
  installer,
  chat,
}: {
  settings: SlackSettings;
  installer: InstallProvider | undefined;
  chat: Domain['chat'];
}) {
  const cache = new Map<string, { at: number; result: AuthorizeResult }>();

  async function findToken(query: Query): Promise<AuthorizeResult> {
    if (installer === undefined) return { botToken: settings.botToken ?? '' };
    const key = workspaceOf(query);
    const cached = cache.get(key);
    const ageMs = cached === undefined ? Number.POSITIVE_INFINITY : performance.now() - cached.at;
    if (cached !== undefined && ageMs < freshForMs) return cached.result;
    const lookup = installer.authorize(query).then((result) => store(key, { ...result }));
    if (cached === undefined || ageMs > staleAfterMs) return lookup;
    const found = await withinTime(lookup, lookupTimeoutMs).catch((error) => {
      if (isNotInstalled(error)) throw error;
      return undefined;
    });
    return found?.value ?? cached.result;
  }

  function store(key: string, result: AuthorizeResult): AuthorizeResult {
    if (cache.size >= cacheMax) cache.clear();
    cache.set(key, { at: performance.now(), result });
    return result;
  }

  /** For Bolt. Never rejects: `refuseUnauthorized` tells the user about a failure. */
  async function authorize(source: AuthorizeSourceData<boolean>): Promise<AuthorizeResult> {
    const { isEnterpriseInstall, enterpriseId, teamId } = source;
    const failed = (authorizationFailure: AuthorizationFailure): AuthorizeResult => ({
      ...(enterpriseId && { enterpriseId }),
      ...(teamId && { teamId }),
      authorizationFailure,
    });
    try {
      const query = { isEnterpriseInstall, enterpriseId, teamId };
      const found = await withinTime(findToken(query), lookupTimeoutMs + 100);
      return found === undefined ? failed('unavailable') : { ...found.value }; // Bolt adds the user and the team
    } catch (error) {
      return failed(isNotInstalled(error) ? 'not installed' : 'unavailable');
    }
  }

  /** A client for a workspace or an organisation; undefined where nobody installed the app. */
  async function maybeClient(workspace: string): Promise<webApi.WebClient | undefined> {
    const isEnterpriseInstall = workspace.startsWith('E');
    try {
      const { botToken = '' } = await findToken({
        isEnterpriseInstall,
        enterpriseId: isEnterpriseInstall ? workspace : undefined,
        teamId: isEnterpriseInstall ? undefined : workspace,
      });
      return createWebClient(settings, botToken);
    } catch (error) {
      if (isNotInstalled(error)) return undefined;
      throw toRefusal((error as AuthorizationError).original) ?? error;
    }
  }

  /** Removes the installation of a workspace whose token Slack refused, but not a newer one. */
  async function removeInstallation(workspace: string, token: string | undefined): Promise<void> {
    cache.delete(workspace);
    if (installer === undefined) return;
    const current = await chat.installations.maybeFind<{ bot?: { token?: string } }>('slack', { workspace });
    if (current?.bot?.token === token) await chat.installations.remove('slack', workspace);
  }

  return {
    authorize,
    maybeClient,
    removeInstallation,
    clearCache: (workspace: string) => void cache.delete(workspace),
  };
}

function isNotInstalled(error: unknown): boolean {
  return error instanceof AuthorizationError && error.original instanceof NotInstalled;
}

/** Deletes installations that users removed. Slack may deliver an event more than once. */
export function onRemoval(
  app: App,
  { chat, authorization }: { chat: Domain['chat']; authorization: Pick<Authorization, 'clearCache'> },
): void {
  async function remove(eventId: string, workspace: string, users?: string[]): Promise<void> {
    if (!(await chat.deduplication.isNew(`slack ${eventId}`))) return;
    await chat.installations.remove('slack', workspace, users);
    authorization.clearCache(workspace);
  }

  app.event('app_uninstalled', ({ context, body }) => remove(body.event_id, workspaceOf(context)));
  app.event('tokens_revoked', ({ context, body, event: { tokens } }) => {
    const hasBot = (tokens.bot ?? []).length > 0;
    return remove(body.event_id, workspaceOf(context), hasBot ? undefined : tokens.oauth);
  });
}
