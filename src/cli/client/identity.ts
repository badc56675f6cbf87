import { readFile } from 'node:fs/promises';
import { type ExchangedToken, exchangeToken, githubIdentity } from '../../client/client.ts';
import { packageVersion } from '../../runtime/package.ts';
import { identityEnvironment } from './environment.ts';
import { proxiedFetch } from './proxy.ts';

/** Whether the environment says that this program has an identity of its own. */
export const hasIdentity = (): boolean =>
  [identityEnvironment.rule, identityEnvironment.token, identityEnvironment.file].some(Boolean);

/** Exchanges the identity that the environment gives to this program for an API token of a server. */
export async function exchangeIdentity(server: string): Promise<ExchangedToken> {
  const throughProxy = await proxiedFetch();
  const common = { ...(throughProxy && { fetch: throughProxy }) };
  const { rule } = identityEnvironment;
  const identityToken = await readIdentity(common);
  return exchangeToken({ server, identityToken, rule, userAgent: `hushpush/${packageVersion()}`, ...common });
}

async function readIdentity(common: { fetch?: typeof fetch }): Promise<string> {
  const { rule, token, file, requestUrl, requestToken } = identityEnvironment;
  if (token !== undefined) return token.trim();
  if (file !== undefined) return (await readFile(file, 'utf8')).trim();
  if (rule !== undefined && requestUrl !== undefined && requestToken !== undefined)
    return githubIdentity({ requestUrl, requestToken, rule, ...common });
  throw new Error(
    'HUSHPUSH_TRUST_RULE is set, but this job has no identity. In GitHub, give it the permission id-token: write; elsewhere, set HUSHPUSH_IDENTITY_TOKEN or HUSHPUSH_IDENTITY_TOKEN_FILE.',
  );
}
