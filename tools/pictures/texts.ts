import type { Button, Card, TextPart } from '../../src/bots/card.ts';
import type { FormField, FormSpec } from '../../src/bots/form.ts';
import { type Language, languageOf } from '../../src/bots/language.ts';
import { locales } from '../../src/locales/locales.ts';
import { cardSamples, formSamples } from './samples.ts';

const languages = locales.map((locale) => languageOf({ locale }));

const lead = `# What the chats say

Everything that people read in the chats, in every language. \`npm run pictures\` writes this page from
\`src/locales/\`, and a test fails while it is out of date. Notifications on phones show the first line, or what stands
beside a bell. Buttons stand in [brackets]; times are shown in the reader's time zone.

![A push in Slack, from the form to its end](screens/slack-push.webp)

![The Home, a request and the help in Slack](screens/slack-more.webp)

![Every other command in Slack](screens/slack-commands.webp)

![A push and a request in Discord](screens/discord-push.webp)

![Every other command in Discord](screens/discord-commands.webp)

![A push in Mattermost](screens/mattermost-push.webp)

![Every other command in Mattermost](screens/mattermost-commands.webp)

In German:

![A push in Slack, in German](screens/slack-push-de.webp)

![The Home, a request and the help in Slack, in German](screens/slack-more-de.webp)

![Every other command in Slack, in German](screens/slack-commands-de.webp)

![A push and a request in Discord, in German](screens/discord-push-de.webp)

![Every other command in Discord, in German](screens/discord-commands-de.webp)

![A push in Mattermost, in German](screens/mattermost-push-de.webp)

![Every other command in Mattermost, in German](screens/mattermost-commands-de.webp)
`;

/** The page as Markdown. */
export function chatTextsPage(): string {
  const cards = Object.entries(cardSamples).map(([heading, samples]) =>
    section(heading, samples, (language, build) => cardText(build(language.cards))),
  );
  const forms = Object.entries(formSamples).map(([heading, samples]) =>
    section(heading, samples, (language, build) => formText(build(language.forms))),
  );
  return [
    lead,
    ...cards,
    ...forms,
    section('Commands of Discord', commandSamples, (language, name) => commandText(language, name)),
  ].join('\n');
}

type CommandName = keyof Language['messages']['chat']['commands'];

const commandSamples = Object.fromEntries(
  Object.keys(languageOf().messages.chat.commands).map((name) => [name, name as CommandName]),
);

function commandText({ messages: { chat } }: Language, name: CommandName): string {
  const names: Partial<Record<string, string>> = chat.commandNames;
  const own = names[name];
  return own === undefined ? chat.commands[name] : `\`${own}\`: ${chat.commands[name]}`;
}

function section<T>(
  heading: string,
  samples: Record<string, T>,
  textOf: (language: Language, sample: T) => string,
): string {
  const rows = Object.entries(samples).map(([title, sample]) =>
    row([title, ...languages.map((language) => textOf(language, sample))]),
  );
  const names = languages.map(({ messages }) => messages.language);
  return [
    `## ${heading}`,
    '',
    row(['', ...names]),
    row(['---', ...names.map(() => '---')]),
    ...rows,
    '',
  ].join('\n');
}

const row = (cells: string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** A bell marks what a notification says where that is not the first line. */
function cardText({ summary, lines, items = [], footnotes = [], buttons = [] }: Card): string {
  const [banner, first = []] = [lineText(summary), ...lines];
  const all = [
    ...(banner === '' || banner === lineText(first) ? [] : [`🔔 ${banner}`]),
    ...lines.map(lineText),
    ...items.map(({ line, buttons: own }) => `${lineText(line)} ${own.map(buttonText).join(' ')}`),
    ...footnotes.map((line) => `*${lineText(line)}*`),
    ...(buttons.length === 0 ? [] : [buttons.map(buttonText).join(' ')]),
  ];
  return all.join('<br>');
}

const lineText = (line: TextPart[]): string => line.map(partText).join('');

function partText(part: TextPart): string {
  if (typeof part === 'string') return part;
  if ('bold' in part) return `**${part.bold}**`;
  if ('code' in part) return `\`${part.code}\``;
  if ('person' in part) return part.person;
  if ('link' in part) return part.label;
  return '28 Nov, 14:30';
}

const buttonText = ({ label }: Pick<Button, 'label'>): string => `[${label}]`;

function formText({ title, submit, cancel, fields, more }: FormSpec): string {
  const all = [
    `**${title}**`,
    ...fields.map(fieldText),
    ...(more === undefined ? [] : [buttonText(more), ...more.fields.map(fieldText)]),
    [submit, cancel].map((label) => buttonText({ label })).join(' '),
  ];
  return all.join('<br>');
}

function fieldText(field: FormField): string {
  if (field.type === 'info') return field.text;
  if (field.type === 'heading') return `**${field.text}**`;
  if (field.type === 'button') return buttonText(field.button);
  const hint = field.hint === undefined ? '' : ` (${field.hint})`;
  const choices = 'options' in field ? `: ${field.options.map(({ label }) => label).join(' · ')}` : '';
  return `${field.label}${hint}${choices}`;
}
