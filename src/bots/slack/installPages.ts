import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CallbackOptions, ErrorCode, type InstallProvider } from '@slack/oauth';
import { toRefusal } from '../../domain/index.ts';
import { messages } from '../messages.ts';
import { isUnusableCode } from './errors.ts';

type Dependencies = {
  installer: InstallProvider;
  onInstalled: (workspace: string) => void;
  onError: (error: unknown) => void;
};

const { installation: texts } = messages.chat;

/** The pages of an installation: to Slack, and back. */
export function createInstallPages({ installer, onInstalled, onError }: Dependencies) {
  const callback: CallbackOptions = {
    success({ team, enterprise, isEnterpriseInstall }, _options, _req, res) {
      onInstalled((isEnterpriseInstall ? enterprise?.id : team?.id) ?? '');
      respond(res, 200, texts.done, texts.next);
    },
    failure(error, _options, _req, res) {
      const cause: unknown = ('original' in error && error.original) || error;
      if (toRefusal(cause)?.code === 'unavailable') return respondUnavailable(res);
      const wasCancelled = isCancelled(error);
      if (!wasCancelled && !isUnusable(cause)) onError(cause);
      const why = wasCancelled ? texts.cancelled : texts.expired;
      respond(res, 400, texts.failed, why);
    },
  };

  function respondUnavailable(res: ServerResponse): void {
    respond(res, 503, texts.failed, texts.unavailable);
  }

  return {
    install: (req: IncomingMessage, res: ServerResponse) =>
      installer.handleInstallPath(req, withSameSite(res)).catch((error) => {
        onError(error);
        respondUnavailable(res);
      }),
    callback: (req: IncomingMessage, res: ServerResponse) =>
      installer.handleCallback(req, withSameSite(res), callback),
  };
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

/** The user declined at Slack: in a callback the library throws this error for nothing else. */
const isCancelled = (error: { code: string }): boolean => error.code === ErrorCode.AuthorizationError;

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

function respond(res: ServerResponse, status: number, title: string, text: string): void {
  res.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  res.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${title}</title><h1>${title}</h1><p>${text}</p></html>`,
  );
}
