import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, nameOf } from './faults.ts';
import type { Platform } from './platform.ts';
import type { Call } from './recordings.ts';
import { type Body, readBody, textsIn } from './rest/bodies.ts';
import { answer, type Matched, match, type RestResponse } from './rest/index.ts';
import { createLimits, tooMany } from './rest/limits.ts';
import { errorOf } from './rest/refused.ts';

type HttpResponse = RestResponse & { headers?: Record<string, string>; text?: string };

/** Discord's web servers: the HTTP API and the file server. */
export async function startServer(platform: Platform) {
  const { recordings, faults, world, clock, at, settings } = platform;
  const limits = createLimits(platform);
  const server = createServer((req, res) => {
    respond(req, res).catch((error) => {
      recordings.complain(`Discord itself failed: ${error instanceof Error ? error.stack : error}`);
      res.destroy();
    });
  });

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '', at.url);
    if (/^\/(ephemeral-)?attachments\//.test(url.pathname)) {
      if (req.headers.authorization !== undefined)
        recordings.complain(`${url.pathname}: a token, which is not for whoever serves files`);
      return giveFile(url, res);
    }
    const path = pathOf(url, req);
    const matched = path === undefined ? undefined : match(req.method ?? '', path);
    const operation = matched?.operation ?? `${req.method} ${url.pathname}`;
    if (!matched) recordings.complain(`${operation}: nothing that this Discord can do`);
    const body = await readBody(req);
    const texts = [req.url ?? '', ...textsIn(body)];
    recordings.sent.push(...texts.map((text) => ({ where: operation, text })));
    const fault = matched && faults.take(operation);
    const call = record(operation, req, url, body, fault);
    if (fault === 'dropped before') return void res.destroy();
    if (fault === 'no answer') return;
    if (typeof fault === 'object' && 'slowMs' in fault) await sleep(fault.slowMs);
    const response = faulty(fault) ?? handle(matched, req, url, body);
    Object.assign(call, { status: response.status, response: response.body } satisfies Partial<Call>);
    clock.changed();
    if (fault === 'dropped after') return void res.destroy();
    send(res, response);
  }

  /** The path after the version. Undefined for another version, or without a User-Agent. */
  function pathOf({ pathname }: URL, req: IncomingMessage): string | undefined {
    if (!/^DiscordBot \(\S+, [^)]+\)/.test(req.headers['user-agent'] ?? ''))
      recordings.complain(`a request without a User-Agent as Discord wants it: ${req.headers['user-agent']}`);
    const path = /^\/api\/v10(\/.*)$/.exec(pathname)?.[1];
    return path === undefined ? undefined : decodeURIComponent(path);
  }

  function handle(matched: Matched | undefined, req: IncomingMessage, url: URL, body: Body): HttpResponse {
    if (!matched) return { status: 404, body: { message: '404: Not Found', code: 0 } };
    const { operation, params } = matched;
    const about = params.channel_id ?? params.webhook_token ?? '';
    const isFree = operation === 'create_interaction_response';
    const limit = isFree ? undefined : limits.take(operation, about, matched.route.isOpen !== true);
    if (limit?.retryAfterSeconds !== undefined) {
      const refused = tooMany(limit.retryAfterSeconds, limit.scope);
      return { ...refused, headers: { ...limit.headers, ...refused.headers } };
    }
    const token = /^Bot (.+)$/.exec(req.headers.authorization ?? '')?.[1];
    return { ...answer(platform, matched, token, url.searchParams, body), headers: limit?.headers ?? {} };
  }

  function record(
    operation: string,
    req: IncomingMessage,
    url: URL,
    body: Body,
    fault: Fault | undefined,
  ): Call {
    const call: Call = {
      ...{ operation, method: req.method ?? '', path: url.pathname + url.search, body: body.json },
      ...{ files: body.files.map(({ filename }) => filename), status: undefined, response: undefined },
      ...{ fault: fault && nameOf(fault), at: clock.now() },
    };
    recordings.calls.push(call);
    clock.changed();
    return call;
  }

  function giveFile({ pathname }: URL, res: ServerResponse): void {
    const file = world.attachments.get(pathname);
    const isThere = file && file.expiresAt > clock.now();
    res.writeHead(isThere ? 200 : 404, { 'content-type': isThere ? file.contentType : 'text/plain' });
    res.end(isThere ? file.bytes : 'This content is no longer available.');
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  Object.assign(at, { url: `http://${settings.host}:${port}`, gatewayUrl: `ws://${settings.host}:${port}` });
  return {
    server,
    limits,
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** A 204 has no content type. With one, discord.js would expect a body. */
function send(res: ServerResponse, { status, body, headers = {}, text }: HttpResponse): void {
  if (status === 204) return void res.writeHead(204, headers).end();
  const type = text === undefined ? 'application/json' : 'text/plain';
  res.writeHead(status, { 'content-type': type, ...headers }).end(text ?? JSON.stringify(body));
}

/** The response that a fault causes. */
function faulty(fault: Fault | undefined): HttpResponse | undefined {
  if (fault === undefined || typeof fault === 'string') return undefined;
  if ('status' in fault) return { status: fault.status, body: undefined, text: 'upstream connect error' };
  if ('code' in fault) return errorOf(fault.code);
  if (!('retryAfterSeconds' in fault)) return undefined;
  return tooMany(fault.retryAfterSeconds, fault.scope ?? 'user');
}
