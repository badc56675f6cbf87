/** Why a server refused a request. `failed` is an error of the server itself. */
export type RefusalCode =
  | 'malformed'
  | 'unauthenticated'
  | 'passphrase'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'invalid'
  | 'too_many'
  | 'unavailable'
  | 'failed';

type RefusalDetails = {
  status: number;
  code: RefusalCode;
  advice: string | undefined;
  fields: Record<string, string[]>;
  retryAfterSeconds: number | undefined;
  requestId: string | undefined;
  oauthError: string | undefined;
};

/** The server answered, and refused. `message` is what it said. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  /** The HTTP status. */
  readonly status: number;
  readonly code: RefusalCode;
  /** How to do better, if the server says so. */
  readonly advice: string | undefined;
  /** What is wrong with each field that was sent. */
  readonly fields: Record<string, string[]>;
  /** When to try again, after `too_many` and `unavailable`, and after the `conflict` with a creation in progress. */
  readonly retryAfterSeconds: number | undefined;
  /** What OAuth calls it, such as `invalid_grant`; undefined for what is none of OAuth. */
  readonly oauthError: string | undefined;
  /** What to tell the operator of the server. */
  readonly requestId: string | undefined;

  constructor(message: string, details: RefusalDetails) {
    super(message);
    this.status = details.status;
    this.code = details.code;
    this.advice = details.advice;
    this.fields = details.fields;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.requestId = details.requestId;
    this.oauthError = details.oauthError;
  }
}

/**
 * Why there is no usable response. After `unreachable` and `timeout` of a creation, the push may exist. `unsupported`: the
 * server would ignore what only hushpush knows.
 */
export type ConnectionProblem = 'unreachable' | 'timeout' | 'redirected' | 'foreign' | 'unsupported';

/** No server answered, or one that is no Password Pusher, or lacks what is asked of it. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: ConnectionProblem;

  constructor(code: ConnectionProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const codes: Record<number, RefusalCode> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  422: 'invalid',
  429: 'too_many',
  503: 'unavailable',
};

const fallbacks: Record<RefusalCode, string> = {
  malformed: 'The server does not understand the request.',
  unauthenticated: 'The server wants a valid API token.',
  passphrase: 'That passphrase is incorrect.',
  forbidden: 'The server does not allow that.',
  not_found: 'There is no such push.',
  conflict: 'That is not possible any more.',
  too_large: 'That is too large for the server.',
  invalid: 'The server does not accept these values.',
  too_many: 'Too many requests.',
  unavailable: 'The server is not available at the moment.',
  failed: 'Something went wrong on the server.',
};

/**
 * The error that a response stands for. Its body may be anything, such as a page of a proxy. `missing` says what there is
 * not, after a 404.
 */
export function toRefusedError(
  response: Response,
  body: unknown,
  missing = fallbacks.not_found,
): RefusedError {
  const {
    error: named,
    error_description: said,
    message,
    fields,
    errors,
    ...rest
  } = isRecord(body) ? body : {};
  const error = typeof said === 'string' ? said : named; // OAuth has a code, and then a sentence
  const code = codeOf(response.status, error);
  // Password Pusher answers 422 with the fields alone.
  const problems = fieldsOf(fields ?? errors ?? (code === 'invalid' && error === undefined ? rest : {}));
  return new RefusedError(code === 'not_found' ? missing : sentenceOf(code, error, problems), {
    status: response.status,
    code,
    advice: typeof message === 'string' ? message : undefined,
    fields: problems,
    retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
    requestId: response.headers.get('x-request-id') ?? undefined,
    oauthError: typeof said === 'string' && typeof named === 'string' ? named : undefined,
  });
}

function sentenceOf(code: RefusalCode, error: unknown, problems: Record<string, string[]>): string {
  if (typeof error === 'string') return error;
  const [first] = Object.entries(problems);
  return first === undefined ? fallbacks[code] : `${first[0]} ${first[1][0]}`;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function codeOf(status: number, error: unknown): RefusalCode {
  // All versions of Password Pusher name the passphrase in this refusal, and nothing else in it tells it apart.
  if (status === 401 && typeof error === 'string' && /passphrase/i.test(error)) return 'passphrase';
  return codes[status] ?? (status >= 500 ? 'failed' : 'malformed');
}

function fieldsOf(value: unknown): Record<string, string[]> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, problems]) => [name, [problems].flat().map(String)]),
  );
}

/** The header is a number of seconds or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
