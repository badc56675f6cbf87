import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fields, fieldsOf, parseJson } from '../shared/json.ts';
import { consentPage, decide } from './consent.ts';
import { type Fault, nameOf } from './faults.ts';
import type { Platform } from './platform.ts';
import { takeResponse } from './responseUrls.ts';
import { argumentsOf, tokenOf } from './webApi/args.ts';
import { download } from './webApi/files.ts';
import { callMethod, tooMany } from './webApi/index.ts';

type HttpResponse = { status: number; headers?: Record<string, string>; text: string };

/** Slack's web server: the Web API, response URLs and the consent page. */
export async function startServer(platform: Platform) {
  const server = createServer((req, res) => {
    respond(req, res).catch((error) => {
      platform.recordings.complain(`Slack itself failed: ${error instanceof Error ? error.stack : error}`);
      res.destroy();
    });
  });

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '', platform.at.url);
    const body = await text(req);
    const { name, process } = routed(url, req, body);
    platform.recordings.sent.push({ where: name, text: `${url.search}\n${body}` });
    const fault = name.startsWith('/') ? undefined : platform.faults.take(name);
    const injected = faulty(fault);
    const recorded = record(name, url, req, body, fault);
    if (fault === 'dropped before') return void res.destroy();
    if (fault === 'no answer') return;
    if (fault !== undefined && typeof fault === 'object' && 'slowMs' in fault) await sleep(fault.slowMs);
    const response = injected ?? process();
    recorded?.(response);
    if (fault === 'dropped after') return void res.destroy();
    res.writeHead(response.status, {
      'content-type': 'application/json; charset=utf-8',
      ...response.headers,
    });
    res.end(response.text);
  }

  function routed(
    url: URL,
    req: IncomingMessage,
    body: string,
  ): { name: string; process: () => HttpResponse } {
    if (url.pathname.startsWith('/files-pri/'))
      return {
        name: 'file download',
        process: () => download(platform, url.pathname, tokenOf(req.headers, {})),
      };
    const [, area, id = ''] = /^\/(api|response|oauth)\/(.+)$/.exec(url.pathname) ?? [];
    if (area === 'api') return { name: id, process: () => call(id, url, req, body) };
    if (area === 'response')
      return { name: 'response_url', process: () => plain(takeResponse(platform, id, body)) };
    if (area === 'oauth' && id === 'v2/authorize')
      return { name: url.pathname, process: () => ask(url, req, body) };
    return { name: url.pathname, process: () => ({ status: 404, text: '{"ok":false}' }) };
  }

  function call(name: string, url: URL, req: IncomingMessage, body: string): HttpResponse {
    const args = argumentsOf(url.searchParams, req.headers, body);
    const answer = callMethod(platform, name, args, tokenOf(req.headers, args));
    return { ...answer, text: JSON.stringify(answer.body) };
  }

  function ask(url: URL, req: IncomingMessage, body: string): HttpResponse {
    const decision = new URLSearchParams(body).get('decision');
    const user = platform.at.signedIn;
    if (req.method === 'POST' && decision !== null && user) {
      const location = decide(platform, url.href, decision === 'allow' ? { user } : 'deny');
      return { status: 302, headers: { location }, text: '' };
    }
    const { status, html } = consentPage(platform, url);
    return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, text: html };
  }

  /** Records a call of the Web API, and returns a function that adds its response. */
  function record(method: string, url: URL, req: IncomingMessage, body: string, fault: Fault | undefined) {
    if (method.startsWith('/')) return undefined;
    const isApi = method !== 'response_url';
    const args = isApi ? argumentsOf(url.searchParams, req.headers, body) : fieldsOf(parseJson(body));
    const token = isApi ? tokenOf(req.headers, args) : undefined;
    const call = {
      ...{ method, args, token, fault: fault && nameOf(fault), at: platform.clock.now() },
      ...{ status: undefined as number | undefined, response: undefined as Fields | undefined },
    };
    platform.recordings.calls.push(call);
    platform.clock.changed();
    return ({ status, text: given }: HttpResponse) => {
      call.status = status;
      call.response = fieldsOf(parseJson(given));
      platform.clock.changed();
    };
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  platform.at.url = `http://${platform.settings.host}:${(server.address() as AddressInfo).port}`;
  return {
    server,
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function plain({ status, text }: { status: number; text: string }): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, text };
}

/** The response that a fault causes. */
function faulty(fault: Fault | undefined): HttpResponse | undefined {
  if (fault === undefined || typeof fault === 'string') return undefined;
  if ('status' in fault) return { status: fault.status, text: 'upstream connect error' };
  if ('error' in fault) return { status: 200, text: JSON.stringify({ ok: false, error: fault.error }) };
  if (!('retryAfterSeconds' in fault)) return undefined;
  const answer = tooMany(fault.retryAfterSeconds);
  return { ...answer, text: JSON.stringify(answer.body) };
}
