import { type Answers, operationAnswers, type Scope, scopes } from '../api/scopeAnswers.ts';

const begin = '<!-- Written by npm run docs, from test/api/scopeAnswers.ts. -->\n';
const end = '<!-- The end of what was written. -->\n';

const texts = { link: 'with links', yes: 'yes', no: 'no', unknown: 'no', invalid: 'no' };
const titles: Record<Scope, string> = {
  full: '`full`',
  create: '`create`',
  read: '`read`',
  none: 'no token',
};

/** docs/api.md: what was written by hand, and in it what a token of each scope gets. */
export function apiPage(page: string): string {
  const [before = '', rest = ''] = page.split(begin);
  const [, after = ''] = rest.split(end);
  return `${before}${begin}\n${scopesTable()}\n\n${end}${after}`;
}

/** Operations with the same answers share a row. */
function scopesTable(): string {
  const rows = new Map<string, string[]>();
  for (const [name, answers] of Object.entries(operationAnswers)) {
    const cells = cellsOf(name, answers);
    rows.set(cells, [...(rows.get(cells) ?? []), nameOf(name)]);
  }
  return [
    `| | ${scopes.map((scope) => titles[scope]).join(' | ')} |`,
    `| --- | ${scopes.map(() => '---').join(' | ')} |`,
    ...[...rows].map(([cells, names]) => `| ${names.join(', ')} | ${cells} |`),
  ].join('\n');
}

const conditions: Partial<Record<string, Partial<Record<Scope, string>>>> = {
  'delete /p/{url_token}.json': { create: ', if it created it', none: ', unless viewers may' },
};

const cellsOf = (name: string, answers: Answers): string =>
  scopes.map((scope) => texts[answers[scope]] + (conditions[name]?.[scope] ?? '')).join(' | ');

function nameOf(name: string): string {
  const [method = '', path = ''] = name.split(' ');
  return `\`${method.toUpperCase()} ${path.replace('{url_token}', 'TOKEN').replace('{grant}/{number}', 'GRANT/NUMBER')}\``;
}
