import type { Router } from '@koa/router';
import { tokenScopes } from '../../domain/index.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { answerOAuth, OAuthError, type OAuthParameters, requireParameter } from '../oauthAnswer.ts';

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const assertionGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';
const subjectTypes = ['jwt', 'id_token'].map((type) => `urn:ietf:params:oauth:token-type:${type}`);

/** API tokens by OAuth 2.0: for tokens of issuers, by trust rules (RFC 8693; RFC 7523, section 2.1). */
export function oauthRoutes(router: Router, { domain, auth, links }: ApiDependencies): void {
  /** What there is, for libraries (RFC 8414). */
  router.get('/.well-known/oauth-authorization-server', async (ctx) => {
    await auth.anonymous(ctx);
    ctx.body = {
      issuer: links.baseUrl,
      token_endpoint: `${links.baseUrl}/oauth/token`,
      token_endpoint_auth_methods_supported: ['none'],
      grant_types_supported: [exchangeGrant, assertionGrant],
      response_types_supported: [],
      scopes_supported: tokenScopes,
    };
  });

  router.post('/oauth/token', async (ctx) => {
    const { client } = await auth.anonymous(ctx);
    await answerOAuth(ctx, async (parameters) => {
      const grant = requireParameter(parameters, 'grant_type');
      const isExchange = grant === exchangeGrant;
      if (!isExchange && grant !== assertionGrant)
        throw new OAuthError('unsupported_grant_type', `There are ${exchangeGrant} and ${assertionGrant}.`);
      const token = isExchange ? subjectToken(parameters) : requireParameter(parameters, 'assertion');
      const { client_id: rule, scope } = parameters;
      const exchanged = await domain.exchangeToken({ token, rule, scope }, client);
      return {
        access_token: exchanged.token,
        ...(isExchange && { issued_token_type: accessToken }),
        token_type: 'Bearer',
        expires_in: exchanged.seconds,
        scope: exchanged.scope,
      };
    });
  });
}

/** The token that is to be exchanged. What it says beyond the subject, such as an actor, would be lost, so it is refused. */
function subjectToken(parameters: OAuthParameters): string {
  const type = requireParameter(parameters, 'subject_token_type');
  if (!subjectTypes.includes(type))
    throw new OAuthError('invalid_request', `subject_token_type must be ${subjectTypes.join(' or ')}.`);
  const { requested_token_type: wanted = accessToken, actor_token: actor } = parameters;
  if (wanted !== accessToken)
    throw new OAuthError('invalid_request', `requested_token_type can only be ${accessToken}.`);
  if (actor !== undefined) throw new OAuthError('invalid_request', 'actor_token is not supported.');
  return requireParameter(parameters, 'subject_token');
}
