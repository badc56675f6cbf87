import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIComponentInMessageActionRow,
  ButtonStyle,
  ComponentType,
  MessageFlags,
} from 'discord.js';
import { type Button, type Card, type Item, inMarkup, type Line, type Markup } from '../card.ts';
import { buildCustomId, selectAction } from './customIds.ts';

type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

/** A message holds 2,000 characters, and five rows of five buttons; a menu 25 options of 100 characters (docs.discord.com). */
const contentMax = 2_000;
const rowsMax = 5;
const buttonsOfRow = 5;
const optionsMax = 25;
const optionMax = 100;

/** A card as a Discord message, without notifications for mentions, and without link previews. */
export const renderDiscordMessage = (card: Card) => ({
  content: renderContent(card),
  components: renderRows(card),
  allowed_mentions: { parse: [] as [] },
  flags: MessageFlags.SuppressEmbeds as number,
});

export type Message = ReturnType<typeof renderDiscordMessage>;

/** The same, visible to the user alone. */
export const renderEphemeral = (card: Card): Message => ({
  ...renderDiscordMessage(card),
  flags: MessageFlags.SuppressEmbeds | MessageFlags.Ephemeral,
});

function renderContent({ summary, lines, items = [], footnotes = [] }: Card): string {
  const all = [
    ...lines.map(markdown),
    ...items.map(({ line }) => `- ${markdown(line)}`),
    ...footnotes.map((line) => `-# ${markdown(line)}`),
  ];
  const fitting: string[] = [];
  let length = 0;
  for (const line of all) {
    length += line.length + 1;
    if (length > contentMax - 2) return [...fitting, '…'].join('\n');
    fitting.push(line);
  }
  return fitting.join('\n') || markdown(summary);
}

function renderRows({ items = [], itemsPrompt, buttons = [] }: Card): Row[] {
  const rows = items.length === 0 ? [] : [rowOf([renderItems(items, itemsPrompt)])];
  for (let at = 0; at < buttons.length; at += buttonsOfRow)
    rows.push(rowOf(buttons.slice(at, at + buttonsOfRow).map(renderButton)));
  return rows.slice(0, rowsMax);
}

const rowOf = (components: APIComponentInMessageActionRow[]): Row => ({
  type: ComponentType.ActionRow,
  components,
});

const renderItems = (items: Item[], placeholder: string | undefined): APIComponentInMessageActionRow => ({
  type: ComponentType.StringSelect,
  custom_id: buildCustomId(selectAction),
  ...(placeholder && { placeholder }),
  options: items.slice(0, optionsMax).map(({ label, details }) => ({
    label: label.slice(0, optionMax),
    value: buildCustomId(details.id, details.value),
  })),
});

const styles = { primary: ButtonStyle.Primary, danger: ButtonStyle.Danger } as const;

function renderButton({ label, style, ...act }: Button): APIButtonComponent {
  const { Button: type } = ComponentType;
  if ('url' in act) return { type, label, style: ButtonStyle.Link, url: act.url };
  return {
    type,
    label,
    style: style ? styles[style] : ButtonStyle.Secondary,
    custom_id: buildCustomId(act.id, act.value),
  };
}

const markdown = (line: Line): string => inMarkup(line, discordMarkup);

/** A backslash escapes a sign; the start of a line, links and mentions of everybody need more. */
function escaped(text: string): string {
  return text
    .replace(/[\\*_~`|<[\]]/g, '\\$&')
    .replace(/^(\s*)(>|#|-|\+|\d+\.)/gm, '$1\\$2')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/@(?=everyone|here)/g, '@\u200b');
}

/** Discord's markup, with everything else escaped. */
const discordMarkup: Markup = {
  text: escaped,
  bold: (text) => `**${escaped(text)}**`,
  code: (text) => `\`${text}\``,
  person: (address) => `<@${address}>`,
  time: ({ time, as }) => `<t:${Math.floor(time / 1_000)}:${as === 'date' ? 'D' : 'f'}>`,
  link: (url, label) => (url === label ? `<${url}>` : `[${escaped(label)}](<${url}>)`),
};
