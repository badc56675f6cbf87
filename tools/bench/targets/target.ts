export type HttpRequest = {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
};

/** A response, with its bytes as latin1 characters. */
export type HttpResponse = { status: number; head: string; body: string };

/**
 * One request of a flow. `item` is what it is about: the payload for the first step, and for each later one what the step
 * before read from its response.
 */
export type Step = {
  request(item: string): HttpRequest;
  /** Returns the item for the next step, or undefined if the response is not a success. */
  read(response: HttpResponse, item: string): string | undefined;
  /** How often each item may be requested. */
  times?: number;
};

/** What a bench does to a kind of server, in this order. Most have the steps `create` and `retrieve`. */
export type Target = Record<string, Step>;

export const postJson = (
  path: string,
  content: unknown,
  headers: Record<string, string> = {},
): HttpRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(content),
});

export const get = (path: string, headers: Record<string, string> = {}): HttpRequest => ({
  method: 'GET',
  path,
  headers,
});

/** Finds a text in the JSON body of a successful response. */
export function textIn({ status, body }: HttpResponse, ...path: string[]): string | undefined {
  if (status < 200 || status > 299) return undefined;
  let found: unknown = JSON.parse(body);
  for (const key of path) found = (found as Record<string, unknown> | null | undefined)?.[key];
  return typeof found === 'string' && found !== '' ? found : undefined;
}
