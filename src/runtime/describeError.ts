type ErrorDescription = {
  name: string;
  message?: string;
  code?: string;
  at?: string[];
  cause?: ErrorDescription;
};

/**
 * Describes an error and its causes for the log. Database errors contain statements and values, so only their codes
 * are logged. All other messages are our own.
 */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { name: 'unknown' };
  const { name, message, stack = '', cause } = error;
  const { code, errno, sql } = ((error as { parent?: object }).parent ?? error) as {
    code?: unknown;
    errno?: unknown;
    sql?: unknown;
  };
  const isOurs = code === undefined && sql === undefined;
  return {
    name,
    ...(isOurs ? { message } : { code: [code, errno].filter((part) => part !== undefined).join(' ') }),
    at: stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 6)
      .map((line) => line.trim()),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}
