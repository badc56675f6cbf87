const marker = '<!-- Written by npm run docs, from the comments in src/client. -->\n';

/** The text of a source file of the library. */
type ReadSource = (name: string) => string;

/** docs/client.md: what was written by hand, and the reference, from the doc comments of the library. */
export function clientPage(page: string, read: ReadSource): string {
  const [written = ''] = page.split(marker);
  const reference = ['## Methods', ['| method | |', '| --- | --- |', ...methodRows(read)].join('\n')];
  return `${written}${marker}\n${reference.join('\n\n')}\n`;
}

const comment = String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\n`;

/** The functions in `createClient` and what it calls, and the properties of what it has under `requests` and `webhooks`. */
function methodRows(read: ReadSource): string[] {
  const functions = new RegExp(`^  ${comment}  (?:async )?function (\\w+)`, 'gm');
  const properties = new RegExp(`^    ${comment}    (?:async )?(\\w+)`, 'gm');
  return [
    ...rowsOf(read('creation.ts'), functions, ''),
    ...rowsOf(read('client.ts'), functions, ''),
    ...rowsOf(read('requests.ts'), properties, 'requests.'),
    ...rowsOf(read('requestLinks.ts'), properties, 'requests.'),
    ...rowsOf(read('webhooks.ts'), properties, 'webhooks.'),
  ];
}

function rowsOf(source: string, pattern: RegExp, prefix: string): string[] {
  return [...source.matchAll(pattern)].map(
    ([, text = '', name]) => `| \`${prefix}${name}\` | ${proseOf(text)} |`,
  );
}

/** A doc comment as one line. */
const proseOf = (text: string) => text.replace(/\n\s*\* ?/g, ' ').trim();
