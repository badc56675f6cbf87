/** A request without a response. The message is short and safe to show: it contains nothing of the URL. */
export class NoResponseError extends Error {}

/** Nothing was sent. Does not name the address: it may reveal a private network to whoever named the host. */
export class NotPublicError extends NoResponseError {
  constructor() {
    super('the address of the host is not public');
  }
}

/** The proxy did not connect. */
export function noTunnel({ message }: Error): NoResponseError {
  const [, status] = /^Bad response: (\d+)$/.exec(message) ?? [];
  const reason = status === undefined ? 'cannot be reached' : `answered ${status}`;
  return new NoResponseError(`the proxy for outgoing requests ${reason}`);
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  ETIMEDOUT: 'connection timed out',
  ENETUNREACH: 'host unreachable',
  EHOSTUNREACH: 'host unreachable',
  ENOTFOUND: 'host name not found',
  ENODATA: 'the host name has no address',
  EAI_AGAIN: 'the name server did not respond',
};

/** What went wrong with a request, by the error's code: messages may quote the request. */
export function toNoResponseError(error: unknown): NoResponseError {
  if (error instanceof NoResponseError) return error;
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (code.startsWith('HPE_')) return new NoResponseError('the response is not valid HTTP');
  return new NoResponseError(
    reasons[code] ?? (/^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'the request failed'),
  );
}
