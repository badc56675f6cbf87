import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fieldsOf, listOf, parseJson, textOf } from '../shared/json.ts';
import type { Acts } from './acts.ts';
import { createAdminRoutes } from './adminRest.ts';
import { postProblems } from './limits.ts';
import type { Platform } from './platform.ts';
import { type Response as Answer, createRoutes, problemsOf, Refused, type Route } from './rest.ts';

const responsesMax = 5;

/** Mattermost's web server: its API, and the addresses at which commands are responded to. */
export async function startServer(
  platform: Platform,
  { triggerLifeMs, acts }: { triggerLifeMs?: number; acts: Acts },
) {
  const { world, complain, faults, tokens } = platform;
  const routes = [
    ...createRoutes(platform, { ...(triggerLifeMs && { triggerLifeMs }) }),
    ...createAdminRoutes(platform, acts),
  ];

  async function call(route: Route, req: IncomingMessage, url: URL, body: unknown): Promise<Answer> {
    const token = /^Bearer (\w+)$/.exec(req.headers.authorization ?? '')?.[1] ?? '';
    const user = tokens.get(token);
    if (user === undefined || user.deleteAt > 0)
      throw new Refused(401, 'api.context.session_expired.app_error');
    complain(route.name, body === undefined || body instanceof FormData ? [] : problemsOf(route.name, body));
    const [, ...ids] = route.path.exec(url.pathname) ?? [];
    const response = await route.run({ user, body, query: url.searchParams, ids });
    if (response.is) complain('Mattermost itself', problemsOf(response.is, response.body));
    return response;
  }

  /** HandleCommandWebhook (server/channels/app/command_webhook.go): five times, within half an hour. */
  function respondToCommand(id: string, body: unknown): Answer {
    const hook = world.hooks.get(id);
    if (hook === undefined || hook.expiresAt < world.now() || hook.uses >= responsesMax) {
      complain('a response', hook === undefined ? ['its address is unknown'] : []);
      throw new Refused(404, 'api.command_webhook.try_use.app_error');
    }
    hook.uses += 1;
    showResponse(hook, body, undefined);
    return { body: 'ok' };
  }

  /** Shows what a command is responded with, to its user or to everybody. */
  function showResponse(
    { user, channel }: Pick<Place, 'user' | 'channel'>,
    body: unknown,
    cause: Place['cause'],
  ): void {
    const {
      text: message,
      attachments,
      response_type: type = 'ephemeral',
      skip_slack_parsing,
    } = fieldsOf(body);
    if (!textOf(message) && attachments === undefined) return;
    complain('a response', [
      ...postProblems(message, attachments),
      ...(skip_slack_parsing === true ? [] : ['it would be read as if it were for Slack']),
      ...(['ephemeral', 'in_channel'].includes(textOf(type)) ? [] : [`the type ${type} is unknown`]),
    ]);
    world.post({
      ...{ channel, author: type === 'in_channel' ? user : platform.bot, cause },
      ...{ message: textOf(message), attachments: listOf(attachments) },
      onlyFor: type === 'in_channel' ? undefined : user,
    });
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '', platform.at.url);
    const type = req.headers['content-type'] ?? '';
    const isMultipart = type.startsWith('multipart/');
    const bytes = await buffer(req);
    const sent = isMultipart ? '' : bytes.toString();
    const body = isMultipart
      ? await new Response(bytes, { headers: { 'content-type': type } }).formData()
      : parseJson(sent);
    const [, hook = ''] = /^\/hooks\/commands\/(\w+)$/.exec(url.pathname) ?? [];
    const route = routes.find(({ method, path }) => method === req.method && path.test(url.pathname));
    const name = route?.name ?? (hook ? 'response_url' : `${req.method} ${url.pathname}`);
    platform.record(name, sent);
    const fault = faults.take(name);
    if (fault === 'dropped before') return void res.destroy();
    if (fault !== undefined && typeof fault === 'object' && 'slowMs' in fault) await sleep(fault.slowMs);
    if (fault !== undefined && typeof fault === 'object' && 'status' in fault)
      return respond(res, {
        status: fault.status,
        body: { id: 'fault', message: '', status_code: fault.status },
      });
    if (fault !== undefined && typeof fault === 'object' && 'retryAfterSeconds' in fault) {
      res.setHeader('retry-after', fault.retryAfterSeconds);
      return respond(res, { status: 429, body: {} });
    }
    const response = await attempt(async () => {
      if (hook !== '') return respondToCommand(hook, body);
      return route === undefined ? unknown(name) : call(route, req, url, body);
    });
    if (fault === 'dropped after') return void res.destroy();
    respond(res, response);
  }

  function unknown(name: string): Answer {
    complain(name, ['there is no such call']);
    throw new Refused(404, 'api.context.404.app_error');
  }

  const server = createServer((req, res) => {
    handle(req, res).catch((error) => {
      complain('Mattermost itself', [String(error instanceof Error ? error.stack : error)]);
      res.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  platform.at.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    showResponse,
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

type Place = {
  user: Platform['bot'];
  channel: Platform['general'];
  cause: Platform['world']['posts'][number] | undefined;
};

async function attempt(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { status, message: id } = error;
    return { status, body: { id, message: id, detailed_error: '', request_id: '', status_code: status } };
  }
}

function respond(res: ServerResponse, { status = 200, body, bytes }: Answer): void {
  res.writeHead(status, {
    'content-type': bytes === undefined ? 'application/json' : 'application/octet-stream',
  });
  res.end(bytes ?? JSON.stringify(body));
}
