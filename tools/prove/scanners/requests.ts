/** What requests of every kind contain: their addressee, and the credentials of an account. */
export type ScanTarget = {
  port: number;
  /** The url tokens of live pushes: an open one, one to delete, and one with a passphrase. */
  open: string;
  deletable: string;
  locked: string;
  apiToken: string;
  /** The cookies of a signed-in browser, and the CSRF token of its forms. */
  cookie: string;
  csrf: string;
};

const json = (fields: string) => `{"password":{${fields}}}`;

/**
 * Requests to every kind of route, as raw HTTP/1.1. An asterisk stands at each place that sqlmap is to attack: paths,
 * queries, headers, cookies, JSON and forms, both signed in and anonymous.
 */
export function buildScanRequests({
  port,
  open,
  deletable,
  locked,
  apiToken,
  cookie,
  csrf,
}: ScanTarget): Record<string, string> {
  const bearer = `Authorization: Bearer ${apiToken}`;
  const browser = `Cookie: ${cookie}\nSec-Fetch-Site: same-origin`;

  const request = (line: string, headers: string, type = '', body = '') =>
    [`${line} HTTP/1.1`, `Host: 127.0.0.1:${port}`, headers, type && `Content-Type: ${type}`]
      .filter((each) => each !== '')
      .concat('', body)
      .join('\n');
  const get = (path: string, headers = '') => request(`GET ${path}`, headers);
  const postJson = (path: string, body: string, headers = '') =>
    request(`POST ${path}`, headers, 'application/json', body);
  const postForm = (path: string, body: string) =>
    request(`POST ${path}`, browser, 'application/x-www-form-urlencoded', `csrf=${csrf}&${body}`);

  return {
    'create, JSON': postJson(
      '/p.json',
      json('"payload":"tulip*","name":"*","kind":"text*","expire_after_days":"3*","expire_after_views":"5*"'),
    ),
    'create, JSON of an account': postJson(
      '/p.json',
      json('"payload":"tulip","name":"*","note":"*","passphrase":"*","notify":{"*":"*"}'),
      bearer,
    ),
    'retrieve, token': get(`/p/${open}*.json`),
    'retrieve, passphrase': get(`/p/${locked}.json?passphrase=*`),
    'retrieve, client': get(
      `/p/${locked}.json`,
      'User-Agent: x*\nReferer: http://127.0.0.1/*\nX-Forwarded-For: 192.0.2.1*',
    ),
    'delete, token': request(`DELETE /p/${deletable}*.json`, bearer),
    'lists, page': get('/p/active.json?page=1*', bearer),
    'audit, page': get(`/p/${open}/audit.json?page=1*`, bearer),
    'credentials, bearer': get('/p/active.json', `Authorization: Bearer ${apiToken}*`),
    'credentials, pair': get('/p/active.json', `X-User-Email: ann@example.com*\nX-User-Token: ${apiToken}*`),
    'webhooks, create': postJson(
      '/api/v1/webhooks.json',
      '{"webhook":{"url":"https://example.com/*"}}',
      bearer,
    ),
    'webhooks, id': get('/api/v1/webhooks/deliveries.json?id=1*&page=1*', bearer),
    'downloads, grant': get(`/download/${'A'.repeat(42)}*/1*`),
    'links of chats': get('/compose/x*'),
    'page of a push': get(`/p/${open}?locale=en*`),
    'dashboard, search': get('/pushes?search=tulip*&state=active*&page=1*', browser),
    'dashboard, extend': postForm(`/pushes/${open}/extend`, 'lifetime=1h*'),
    'session cookie': get('/pushes', `Cookie: ${cookie}*`),
    'sign-in': postForm('/sign-in', 'email=ann%40example.com*&password=x*&next=/*'),
    'sign-up': postForm('/sign-up', 'email=bob*%40example.com&password=correct+horse+battery*'),
    'new push, form': postForm(
      '/',
      'kind=text*&payload=tulip*&passphrase=&lifetime=7d*&views=5*&name=*&note=*',
    ),
    'tokens, form': postForm('/account/tokens', 'name=x*'),
    'security log': get('/api/v1/account/security.json?page=1*', bearer),
    'security log, page': get('/account/security/log?page=1*', browser),
    'sign-in by a provider': get('/sign-in/oidc?next=/*&fresh=yes*'),
    'answer of a provider': get('/sign-in/oidc/callback?state=x*&code=y*&iss=z*'),
    'sessions, form': postForm('/account/sessions/revoke', 'id=x*'),
    'language, form': postForm('/account/language', 'locale=en*'),
  };
}

/** What a server may give away by accident, and texts that parsers stumble over, as paths without the first slash. */
export function buildScanPaths(): string[] {
  const files =
    `.env .env.example .git/HEAD .git/config .gitignore .npmrc .htaccess .DS_Store data/master.key master.key
    data/hushpush.db hushpush.db hushpush.db-wal backup.tar backup.sql dump.sql package.json package-lock.json
    tsconfig.json dist/src/main.js src/main.ts migrations/0001-accounts.ts node_modules/koa/package.json README.md
    SECURITY.md id_rsa .ssh/id_rsa etc/passwd proc/self/environ server-status debug debug/pprof console swagger.json
    openapi.json graphql actuator/env wp-login.php phpinfo.php admin/ admin/login api api/ api/v1 api/v1/ api/v2/version
    api/v1/accounts.json api/v1/pushes.json users.json p.json p/active.json p/expired.json metrics healthz status
    livez/ readyz/ robots.txt sitemap.xml favicon.ico .well-known/security.txt assets assets/ assets/app.css/x
    slack slack/events discord discord/interactions`.split(/\s+/);
  const climbs = ['../', '..%2f', '%2e%2e/', '..%5c', '....//', '..%252f', '%c0%ae%c0%ae/', '..;/'].flatMap(
    (step) =>
      ['', 'assets/', 'p/', 'download/'].flatMap((start) =>
        ['etc/passwd', 'data/master.key', '.env'].map((file) => `${start}${step.repeat(6)}${file}`),
      ),
  );
  const odd = [
    '%00',
    '%',
    '%zz',
    '%ff',
    '%0d%0aX-A:b',
    '%0a',
    '%e2%80%ae',
    '%ed%a0%80',
    '~',
    '..',
    '.',
    '//',
    '\\',
    '?',
    '?%',
    '?=',
    '?a[]=',
    '#',
    '*',
    '__proto__',
    'constructor',
    'toString',
    "'",
    '"',
    '<svg onload=1>',
    '{{7*7}}',
    `\${7*7}`,
    '$(id)',
    '|id',
    ';id',
    '`id`',
    '%',
    'a'.repeat(5_000),
  ];
  const around = [
    '',
    'p/',
    'p/x',
    'assets/',
    'download/',
    'compose/',
    'connect/',
    'pushes/',
    'api/v1/',
    'r/',
    'f/',
    'en/p/',
    'sign-in?next=',
    'pushes?done=',
    '?locale=',
  ];
  return [...files, ...climbs, ...around.flatMap((start) => odd.map((text) => start + text))].map((path) =>
    path.trim(),
  );
}
