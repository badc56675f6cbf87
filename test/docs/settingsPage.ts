import { secretNames } from '../../src/config/secretFiles.ts';

const introduction = `# Settings

<!-- Written by npm run docs, from .env.example. -->

All settings are optional. They come from the environment and from the file \`.env\` in the working directory. The
environment takes precedence, and an empty value counts as unset. A \`.env\` that cannot be read stops every command,
and so does a misspelt name, there or in the environment. A \`.env\` may be shared with Docker Compose and other programs:
\`COMPOSE_…\`, \`HTTP_PROXY\`, \`TZ\`, \`NODE_OPTIONS\` and the like are left to them.

**Secrets in files.** Where the table says “or file”, \`NAME_FILE\` may name a file with the value instead, such as
\`PEPPER_FILE=/run/secrets/pepper\`. A file that cannot be read, is empty or has several lines stops every command, and
so does setting both. \`MASTER_KEYS_FILE\` names a file with \`MASTER_KEYS\` and \`PEPPER\`, a line each.
`;

/** docs/settings.md, from the text of .env.example, which a test compares with the schema. */
export function settingsPage(envExample: string): string {
  const [, ...sections] = envExample.split(/^## /m);
  return [introduction, ...sections.map(section)].join('\n');
}

function section(text: string): string {
  const [heading = '', ...lines] = text.split('\n');
  const [title = '', note] = split(heading);
  const rows = lines.join('\n').trim().split('\n\n').map(row);
  return [
    `## ${title}\n`,
    ...(note === undefined ? [] : [`${capitalized(note)}${note.endsWith('.') ? '' : '.'}\n`]),
    '| setting | default | |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** Settings that are explained together share a row. */
function row(block: string): string {
  const lines = block.split('\n');
  const settings = lines.flatMap((line) => {
    const [, name = '', value = ''] = /^#([A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
    return name === '' ? [] : [{ name, value }];
  });
  const names = settings.map(({ name }) => `\`${name}\`${isSecret(name) ? ' or file' : ''}`);
  const values = settings.map(({ value }) => (value === '' ? '' : `\`${value}\``));
  const text = lines.filter((line) => line.startsWith('# ')).map((line) => line.slice(2));
  return `| ${names.join('<br>')} | ${values.join('<br>')} | ${escaped(text.join(' '))} |`;
}

const isSecret = (name: string) => secretNames.some((secret) => secret === name);
const escaped = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function split(heading: string): string[] {
  const at = heading.indexOf(': ');
  return at < 0 ? [heading] : [heading.slice(0, at), heading.slice(at + 2)];
}
