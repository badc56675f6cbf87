import type { Router } from '@koa/router';
import { type ClientInfo, tokenScopes } from '../../domain/index.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { answerOAuth, OAuthError, type OAuthParameters, requireParameter } from '../oauthAnswer.ts';

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const assertionGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';
const subjectTypes = ['jwt', 'id_token'].map((type) => `urn:ietf:params:oauth:token-type:${type}`);

const grants = [exchangeGrant, assertionGrant, deviceGrant];

/**
 * API tokens by OAuth 2.0: for tokens of issuers, by trust rules (RFC 8693; RFC 7523, section 2.1), and for programs whose owner
 * allows it in a browser (RFC 8628).
 */
export function oauthRoutes(router: Router, { domain, auth, links }: ApiDependencies): void {
  /** What there is, for libraries (RFC 8414). */
  router.get('/.well-known/oauth-authorization-server', async (ctx) => {
    await auth.anonymous(ctx);
    ctx.body = {
      issuer: links.baseUrl,
      token_endpoint: `${links.baseUrl}/oauth/token`,
      token_endpoint_auth_methods_supported: ['none'],
      device_authorization_endpoint: `${links.baseUrl}/oauth/device_authorization`,
      grant_types_supported: grants,
      response_types_supported: [],
      scopes_supported: tokenScopes,
    };
  });

  router.post('/oauth/token', async (ctx) => {
    const { client } = await auth.anonymous(ctx);
    await answerOAuth(ctx, async (parameters) => {
      const grant = requireParameter(parameters, 'grant_type');
      if (!grants.includes(grant))
        throw new OAuthError('unsupported_grant_type', `There are ${grants.join(', ')}.`);
      return grant === deviceGrant ? poll(parameters, client) : exchange(grant, parameters, client);
    });
  });

  router.post('/oauth/device_authorization', async (ctx) => {
    const { client } = await auth.anonymous(ctx);
    await answerOAuth(ctx, async (parameters) => {
      const clientId = requireParameter(parameters, 'client_id');
      const { device_name: name = clientId, scope } = parameters;
      const begun = await domain.deviceSignIn.begin({ name, scope }, client);
      const code = `${begun.userCode.slice(0, 4)}-${begun.userCode.slice(4)}`;
      return {
        device_code: begun.deviceCode,
        user_code: code,
        verification_uri: `${links.baseUrl}/device`,
        verification_uri_complete: `${links.baseUrl}/device?code=${code}`,
        expires_in: begun.seconds,
        interval: begun.intervalSeconds,
      };
    });
  });

  async function exchange(grant: string, parameters: OAuthParameters, client: ClientInfo) {
    const isExchange = grant === exchangeGrant;
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
  }

  /** RFC 8628, section 3.4 and 3.5. */
  async function poll(parameters: OAuthParameters, client: ClientInfo) {
    const result = await domain.deviceSignIn.poll(requireParameter(parameters, 'device_code'), client);
    if (result.state === 'allowed')
      return { access_token: result.token, token_type: 'Bearer', scope: result.scope };
    const [code, text] = notYet[result.state];
    throw new OAuthError(code, text);
  }
}

const notYet = {
  waiting: ['authorization_pending', 'Nobody has allowed it yet.'],
  tooFast: ['slow_down', 'Ask less often: five seconds more between two questions.'],
  denied: ['access_denied', 'The owner of the account denied it.'],
  ended: ['expired_token', 'The code was used, or is too old. Begin again.'],
} as const;

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
