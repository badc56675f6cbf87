import type { IncomingMessage, ServerResponse } from 'node:http';
import { type App, HTTPResponseAck, HTTPModuleFunctions as http, type Receiver } from '@slack/bolt';
import { isFresh, rejectRequest } from '../rawRequest.ts';
import { silentLogger } from './restClient.ts';

type Dependencies = { signingSecret: string; onError: (error: unknown) => void };

const bodyBytesMax = 1024 * 1024;
const ackTimeoutMs = 2_900;

/**
 * A Bolt receiver without a server of its own: our server passes requests to `/slack/events` to `handle` before anything
 * reads their bodies. Refuses what Slack did not sign within five minutes, past or future (Bolt checks the past only).
 */
export function createHttpReceiver({ signingSecret, onError }: Dependencies) {
  let app: App | undefined;

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { 'x-slack-request-timestamp': signedAt } = req.headers;
    if (signedAt !== undefined && !isFresh(signedAt)) return rejectRequest(req, res, 401);
    let body: Record<string, unknown>;
    try {
      const verified = await http.parseAndVerifyHTTPRequest(
        { signingSecret, logger: silentLogger, bodyLimit: bodyBytesMax },
        req,
      );
      body = http.parseHTTPRequestBody(verified) as Record<string, unknown>;
    } catch (error) {
      return rejectRequest(req, res, http.isRawBodyError(error) ? 413 : 401);
    }
    if (body.ssl_check) return http.buildSSLCheckResponse(res);
    if (body.type === 'url_verification') return http.buildUrlVerificationResponse(res, body);
    await dispatch(req, res, body);
  }

  async function dispatch(req: IncomingMessage, res: ServerResponse, body: Record<string, unknown>) {
    const ack = new HTTPResponseAck({
      logger: silentLogger,
      processBeforeResponse: false,
      unhandledRequestTimeoutMillis: ackTimeoutMs,
      // Slack then shows an error of its own
      unhandledRequestHandler: ({ response }) => http.buildNoBodyResponse(response, 500),
      httpRequest: req,
      httpRequestBody: body,
      httpResponse: res,
    });
    try {
      await app?.processEvent({ body, ack: ack.bind() });
    } catch (error) {
      onError(error);
      if (!res.headersSent) http.buildNoBodyResponse(res, 500);
    }
  }

  const nothing = async () => {};
  const init = (bolt: App) => {
    app = bolt;
  };
  return { receiver: { init, start: nothing, stop: nothing } satisfies Receiver, handle };
}
