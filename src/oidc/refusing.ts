import { DomainError, unavailable } from '../domain/index.ts';

type Known = { code?: unknown; error?: unknown; status?: unknown; message?: unknown; cause?: unknown };

/** What fetching throws, and codes of openid-client for no answer in time, and for one with another status, such as 502. */
const noAnswer = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'];

/**
 * Returns what runs a request to a provider, and turns errors of the library into refusals: `unavailable` for a provider that does
 * not answer, and `forbidden` for an answer that says no or is wrong.
 */
export function refusingProvider(provider: string) {
  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    try {
      return await run();
    } catch (error) {
      if (error instanceof DomainError) throw error;
      const { name, code, status } = error as Error & Known;
      const cause = summaryOf(error as Known);
      if (name === 'AuthorizationResponseError')
        throw new DomainError('forbidden', 'providerDeclined', { values: { provider }, cause });
      const isDown =
        noAnswer.includes(String(code)) ||
        Number(status) >= 500 ||
        (error instanceof TypeError && error.message === 'fetch failed');
      if (isDown) throw unavailable('providerUnreachable', cause);
      throw new DomainError('forbidden', 'providerAnswerRejected', { values: { provider }, cause });
    }
  };
}

/** For the log: the messages of an error and its causes, and the code of OAuth. What the provider wrote itself is left out. */
function summaryOf(error: Known): Error {
  const parts: string[] = [];
  for (let each: unknown = error; each instanceof Error && parts.length < 6; each = each.cause) {
    const { message, error: oauthCode }: Known = each;
    parts.push(String(message));
    if (/^[a-z_]{1,40}$/.test(String(oauthCode ?? ''))) parts.push(String(oauthCode));
  }
  return new Error(parts.join(': '));
}
