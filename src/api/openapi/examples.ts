import type { CodeSample } from '../../http/openApi.ts';
import { flagFields } from '../flags.ts';

/** What the examples of the API create, as JSON. */
export const pushExample = {
  password: { payload: 'correct horse battery staple', expire_after_days: 3, expire_after_views: 1 },
};

export const webhookExample = { webhook: { url: 'https://example.com/hushpush' } };

export const webhookTypesExample = { webhook: { types: ['push.viewed', 'push.expired'] } };

export const requestExample = { request: { from: 'slack:T0123ABCD:U0456EFGH', reason: 'The VPN' } };

export const trustRuleExample = {
  trust_rule: {
    name: 'acme/app',
    issuer: 'https://token.actions.githubusercontent.com',
    claims: { repository: 'acme/app', ref: 'refs/heads/main' },
  },
};

/** A url token as the samples write it. */
export const exampleToken = '5f3k9q2m7w8x1c4v6b0n5z3j9h';

/** Its SHA-256. */
const exampleSha256 = 'abc69a53c87b8dca2d20897af2e6e981c1fbac0b9c2a11494037cf95c995db28';

export const requestLinkExample = {
  request_link: { title: 'The password of the web shop', expire_after_minutes: 1_440 },
};
export const answerExample = { answer: { payload: 'correct horse battery staple' } };

/** The ids of a webhook, a delivery, a request, a request link and a trust rule, as the samples write them. */
export const exampleWebhookId = '0192f3a4b5c67d8e9fa0b1c2d3e4f506';
export const exampleDeliveryId = 'notice_0198c1f2a7e17c3f9d0b8a6c5e4d3f21';
export const exampleRequestId = '0193a4b5c6d78e9f8ab1c2d3e4f50617';
export const exampleRequestLinkId = '0195d7e8f90a7b1c8d2e3f4051627384';
export const exampleTrustRuleId = '0194c6d7e8f90a1b8c2d3e4f50617283';

/** The push that the example creates, as the service at `baseUrl` presents it. */
export function createdExample(baseUrl: string) {
  return {
    url_token: exampleToken,
    html_url: `${baseUrl}/p/${exampleToken}`,
    json_url: `${baseUrl}/p/${exampleToken}.json`,
    created_at: '2026-01-01T01:00:00.000Z',
    expires_at: '2026-01-04T01:00:00.000Z',
    views_remaining: 1,
    views_total: 1,
    files: [],
    passphrase: null,
    name: null,
    note: null,
    expire_after_days: 3,
    expire_after_views: 1,
    days_remaining: 3,
    expired: false,
    expired_on: null,
    deleted: false,
    ...flagFields(() => true),
    kind: 'text',
    updated_at: '2026-01-01T01:00:00.000Z',
    url_token_sha256: exampleSha256,
  };
}

/** The same push when it was viewed. */
export function revealedExample(baseUrl: string) {
  return {
    ...createdExample(baseUrl),
    views_remaining: 0,
    updated_at: '2026-01-02T09:30:00.000Z',
    payload: pushExample.password.payload,
  };
}

export const auditExample = {
  views: [
    {
      ip: '192.0.2.7',
      user_agent: 'curl/8.14.1',
      referrer: '',
      created_at: '2026-01-02T09:30:00.000Z',
      updated_at: '2026-01-02T09:30:00.000Z',
      kind: 'view',
      successful: true,
    },
  ],
  url_token_sha256: exampleSha256,
};

/** A request that the samples of an operation send. */
type SampleRequest = {
  method: string;
  url: string;
  isAuthenticated: boolean;
  json: object | undefined;
};

/** The same request in the languages of scripts. The API token comes from the environment. */
export function codeSamples(request: SampleRequest): CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curl(request) },
    { lang: 'JavaScript', label: 'JavaScript', source: javaScript(request) },
    { lang: 'Python', label: 'Python', source: python(request) },
    { lang: 'PowerShell', label: 'PowerShell', source: powerShell(request) },
  ];
}

function curl({ method, url, isAuthenticated, json }: SampleRequest): string {
  return [
    `curl${method === 'GET' || json ? '' : ` -X ${method}`}`,
    ...(isAuthenticated ? ['-H "Authorization: Bearer $HUSHPUSH_TOKEN"'] : []),
    ...(json ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(json)}'`] : []),
    `'${url}'`,
  ].join(' \\\n  ');
}

function javaScript({ method, url, isAuthenticated, json }: SampleRequest): string {
  const headers = [
    ...(isAuthenticated ? ["Authorization: 'Bearer ' + process.env.HUSHPUSH_TOKEN"] : []),
    ...(json ? ["'Content-Type': 'application/json'"] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
    ...(json ? [`body: JSON.stringify(${JSON.stringify(json)})`] : []),
  ].map((option) => `\n  ${option},`);
  return [
    `const response = await fetch('${url}'${options.length > 0 ? `, {${options.join('')}\n}` : ''});`,
    'console.log(await response.json());',
  ].join('\n');
}

function python({ method, url, isAuthenticated, json }: SampleRequest): string {
  const inputs = [
    `'${url}'`,
    ...(isAuthenticated ? ["headers={'Authorization': f\"Bearer {os.environ['HUSHPUSH_TOKEN']}\"}"] : []),
    ...(json ? [`json=${JSON.stringify(json)}`] : []),
  ].map((input) => `\n    ${input},`);
  return [
    isAuthenticated ? 'import os, requests' : 'import requests',
    `response = requests.${method.toLowerCase()}(${inputs.join('')}\n)`,
    'print(response.json())',
  ].join('\n');
}

function powerShell({ method, url, isAuthenticated, json }: SampleRequest): string {
  return [
    'Invoke-RestMethod',
    ...(method === 'GET' ? [] : [`-Method ${method}`]),
    `-Uri '${url}'`,
    ...(isAuthenticated ? ['-Headers @{ Authorization = "Bearer $env:HUSHPUSH_TOKEN" }'] : []),
    ...(json ? ["-ContentType 'application/json; charset=utf-8'", `-Body '${JSON.stringify(json)}'`] : []),
  ].join(' `\n  ');
}
