import type { Platform } from '../platform.ts';
import { describeFault } from '../schema/fault.ts';
import { validateResponse } from '../schema/openApi.ts';
import { validateBody } from '../schema/validity.ts';
import { apps } from './apps.ts';
import type { Body } from './bodies.ts';
import { interactions } from './interactions.ts';
import { messages } from './messages.ts';
import { Invalid, Refused } from './refused.ts';
import type { ResponseBody, Route, Routes } from './route.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';

/** All routes. @me and @original come before parameters at the same place. */
export const routes: Routes = { ...apps, ...users, ...messages, ...interactions, ...webhooks };

const patterns = Object.entries(routes).map(([operation, route]) => {
  const source = route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return { operation, route, pattern: new RegExp(`^${source}$`) };
});

export type Matched = { operation: string; route: Route; params: Record<string, string> };

/** The route of a request, by the path after the version. */
export function match(method: string, path: string): Matched | undefined {
  for (const { operation, route, pattern } of patterns) {
    const found = route.method === method ? pattern.exec(path) : undefined;
    if (found) return { operation, route, params: { ...found.groups } };
  }
  return undefined;
}

export type RestResponse = { status: number; body: ResponseBody };

/** Responds to a call, and complains if it was the app's mistake. */
export function answer(
  platform: Platform,
  { operation, route, params }: Matched,
  token: string | undefined,
  query: URLSearchParams,
  { json, files, isBroken }: Body,
): RestResponse {
  return respondWith(platform, () => {
    if (!route.isOpen) requireToken(platform, operation, token);
    if (isBroken) throw new Refused(50109, `${operation}: a body that is no JSON`);
    const isJudgedLater = operation === 'create_interaction_response';
    const faults = isJudgedLater ? [] : validateBody(operation, json);
    if (faults.length > 0) throw new Invalid(operation, faults);
    const body = route.run(platform, { params, query, body: json, files });
    if (platform.settings.validatesOwnResponses && body !== undefined)
      for (const one of validateResponse(operation, 200, body))
        platform.recordings.complain(`Discord’s own answer to ${operation}: ${describeFault(one)}`);
    return { status: body === undefined ? 204 : 200, body };
  });
}

/** The result of an operation, or its refusal. */
export function respondWith(platform: Platform, handler: () => RestResponse): RestResponse {
  try {
    return handler();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.complaint !== undefined) platform.recordings.complain(error.complaint);
    return { status: error.status, body: error.body };
  }
}

/** A former token is not the app's mistake, as long as the app stops using it. */
function requireToken({ world }: Platform, operation: string, token: string | undefined): void {
  if (token === world.app.token) return;
  if (token === undefined) throw new Refused(0, `${operation} came without a token`);
  const wasGood = world.pastTokens.has(token);
  throw new Refused(0, wasGood ? undefined : `${operation} came with a token that is not the app’s`);
}
