import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CallbackOptions, ErrorCode, type InstallProvider } from '@slack/oauth';
import { toRefusal } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';
import type { AdapterDependencies } from '../chatModule.ts';
import type { ChatEndpoint } from '../endpoint.ts';
import { languageOf } from '../language.ts';
import { isUnusableCode } from './errors.ts';
import { escaped } from './render.ts';

type Dependencies = Pick<AdapterDependencies, 'look' | 'onError'> & {
  installer: InstallProvider;
  /** `user` installed it. The page waits for this. */
  onInstalled: (workspace: string, user: string) => Promise<void>;
};

/** The pages of an installation: to Slack, and back. */
export function createInstallPages({ installer, look, onInstalled, onError }: Dependencies): ChatEndpoint[] {
  const callback: CallbackOptions = {
    async successAsync({ team, enterprise, user, isEnterpriseInstall }, _options, req, res) {
      const workspace = (isEnterpriseInstall ? enterprise?.id : team?.id) ?? '';
      await onInstalled(workspace, user.id).catch(onError);
      respond(req, res, { status: 200, title: 'done', text: 'next' });
    },
    failure(error, _options, req, res) {
      const cause: unknown = ('original' in error && error.original) || error;
      if (toRefusal(cause)?.code === 'unavailable') return respond(req, res, unavailable);
      const wasCancelled = error.code === ErrorCode.AuthorizationError; // at Slack: it is thrown for nothing else
      if (!wasCancelled && !isUnusable(cause)) onError(cause);
      respond(req, res, { status: 400, title: 'failed', text: wasCancelled ? 'cancelled' : 'expired' });
    },
  };

  const install: ChatEndpoint['handle'] = (req, res) =>
    installer.handleInstallPath(req, withSameSite(res)).catch((error) => {
      onError(error);
      respond(req, res, unavailable);
    });

  /** In the first language of the browser. */
  function respond({ headers }: IncomingMessage, res: ServerResponse, page: Page): void {
    const [preferred] = (headers['accept-language'] ?? '').split(/[,;]/, 1);
    const { locale, messages } = languageOf({ locale: preferred });
    const { [page.title]: titleOf, [page.text]: text } = messages.chat.installation;
    const title = escaped(titleOf(look.name));
    res.writeHead(page.status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    res.end(
      `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${title}</title><h1>${title}</h1><p>${text}</p></html>`,
    );
  }

  const handle: ChatEndpoint['handle'] = (req, res) =>
    installer.handleCallback(req, withSameSite(res), callback);
  return [
    { method: 'GET', path: '/slack/install', isSigned: false, handle: install },
    { method: 'GET', path: '/slack/oauth_redirect', isSigned: false, handle },
  ];
}

/** The library sets its cookie without SameSite, and has no option for it. Lax is sent when Slack redirects back. */
function withSameSite(res: ServerResponse): ServerResponse {
  const setHeader = res.setHeader.bind(res);
  res.setHeader = (name, value) =>
    setHeader(
      name,
      name === 'Set-Cookie' ? [value].flat().map((cookie) => `${cookie}; SameSite=Lax`) : value,
    );
  return res;
}

const unusableCodes: ReadonlySet<unknown> = new Set([
  ErrorCode.MissingStateError,
  ErrorCode.InvalidStateError,
  ErrorCode.MissingCodeError,
]);

/** The callback was opened again, too late, or in another browser: our store refuses the state, or Slack the code. */
const isUnusable = (error: unknown): boolean =>
  unusableCodes.has((error as { code?: unknown }).code) ||
  toRefusal(error) !== undefined ||
  isUnusableCode(error);

type TextName = Exclude<keyof Messages['chat']['installation'], 'done' | 'failed'>;
type Page = { status: number; title: 'done' | 'failed'; text: TextName };

const unavailable: Page = { status: 503, title: 'failed', text: 'unavailable' };
