import type {
  AllMiddlewareArgs,
  AnyMiddlewareArgs,
  App,
  AuthorizeResult,
  AuthorizeSourceData,
  InstallationQuery,
  webApi,
} from '@slack/bolt';
import { AuthorizationError, type InstallProvider } from '@slack/oauth';
import { type Domain, toRefusal } from '../../domain/index.ts';
import { withinTime } from '../../retry.ts';
import { hourMs, minuteMs } from '../../time.ts';
import { toPlainText } from '../card.ts';
import { languageOf } from '../language.ts';
import { NotInstalled, workspaceOf } from './installations.ts';
import { renderCardModal, renderSlackMessage } from './render.ts';
import type { SlackReplies } from './replies.ts';
import { createWebClient } from './restClient.ts';
import type { SlackSettings } from './settings.ts';

type Query = InstallationQuery<boolean>;

/** Why we have no token: nobody installed the app in the workspace, or the database did not answer. */
type AuthorizationFailure = 'not installed' | 'unavailable';

export type Authorization = ReturnType<typeof createAuthorization>;

const freshForMs = minuteMs;
const staleAfterMs = 12 * hourMs;
const lookupTimeoutMs = 600;
const cacheMax = 10_000;

type Dependencies = {
  settings: SlackSettings;
  installer: InstallProvider | undefined;
  chat: Domain['chat'];
};

/** The tokens of workspaces, cached for a minute, and longer while the database is slow or away: Slack waits three seconds. */
export function createAuthorization({ settings, installer, chat }: Dependencies) {
  const cache = new Map<string, { at: number; result: AuthorizeResult }>();

  async function findToken(query: Query): Promise<AuthorizeResult> {
    if (installer === undefined) return { botToken: settings.SLACK_BOT_TOKEN ?? '' };
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
    let failure: AuthorizationFailure = 'unavailable';
    try {
      const token = findToken({ isEnterpriseInstall, enterpriseId, teamId });
      const found = await withinTime(token, lookupTimeoutMs + 100);
      if (found !== undefined) return { ...found.value }; // Bolt adds the user and the team
    } catch (error) {
      if (isNotInstalled(error)) failure = 'not installed';
    }
    const where = { ...(enterpriseId && { enterpriseId }), ...(teamId && { teamId }) };
    return { ...where, authorizationFailure: failure };
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

/** Middleware that tells users of a workspace without a usable token why nothing happens, in private. */
export async function refuseUnauthorized(
  args: AllMiddlewareArgs & AnyMiddlewareArgs,
  { replies, installUrl }: { replies: SlackReplies; installUrl: string | undefined },
): Promise<void> {
  const { context, next } = args;
  const failure = context.authorizationFailure as AuthorizationFailure | undefined;
  if (failure === undefined) return next();
  const { cards, messages } = languageOf(); // without a token, Slack does not tell the user's
  const card = failure === 'not installed' ? cards.notInstalled(installUrl) : cards.tryAgain;
  if ('command' in args) return args.ack({ ...renderSlackMessage(card), response_type: 'ephemeral' });
  if ('view' in args && args.body.type === 'view_submission') {
    const input = args.body.view.blocks.find(({ type }) => type === 'input')?.block_id;
    const view = renderCardModal(messages.chat.modals.sorry, card, messages);
    return failure === 'not installed' || input === undefined
      ? args.ack({ response_action: 'update', view })
      : args.ack({ response_action: 'errors', errors: { [input]: card.lines.map(toPlainText).join(' ') } });
  }
  if ('ack' in args && typeof args.ack === 'function') await (args.ack as () => Promise<void>)();
  const { response_url: responseUrl } = args.body as { response_url?: string };
  if (responseUrl !== undefined) await replies.respondAt(responseUrl, card);
}
