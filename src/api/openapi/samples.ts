import type { CodeSample } from '../../http/openApi.ts';

/** A request that the samples of an operation send. */
type SampleRequest = { method: string; url: string; isAuthenticated?: boolean; json?: object };

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
