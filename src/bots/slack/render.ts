import type { types } from '@slack/bolt';
import { addressUser } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';
import {
  type Button,
  type Card,
  type Item,
  inMarkup,
  type Line,
  type Markup,
  type TimePart,
  textCard,
} from '../card.ts';

type Block = types.KnownBlock;

const sectionMax = 3_000;
/** A message holds 50 blocks, a view 100 (docs.slack.dev, “Blocks”). */
const messageBlocksMax = 50;
const viewBlocksMax = 100;
/** The longest `accessibility_label` (docs.slack.dev, “Button element”). */
const spokenLabelMax = 75;

/** Without this, Slack opens the links of a message for a preview. */
const noUnfurl = { unfurl_links: false, unfurl_media: false } as const;

export const plainText = (text: string): types.PlainTextElement => ({ type: 'plain_text', text });

/** A card as a message: blocks, and text for notifications and clients that cannot show blocks. */
export const renderSlackMessage = (card: Card) => ({
  text: mrkdwn(card.summary),
  blocks: renderBlocks(card).slice(0, messageBlocksMax),
  ...noUnfurl,
});

/** The blocks of a card, for a message, a modal or a home. */
export function renderBlocks({ lines, items = [], footnotes = [], buttons = [] }: Card): Block[] {
  return [
    ...sections(lines),
    ...items.flatMap((item): Block[] => [
      ...sections([item.line]),
      ...(item.buttons.length === 0 ? [] : [renderItemActions(item)]),
    ]),
    ...footnotes.map(
      (line): Block => ({ type: 'context', elements: [{ type: 'mrkdwn', text: mrkdwn(line) }] }),
    ),
    ...(buttons.length === 0 ? [] : [renderActions(buttons)]),
  ];
}

/** A modal that shows a card. */
export const renderCardModal = (title: string, card: Card, { chat }: Messages): types.ModalView => ({
  type: 'modal',
  title: plainText(title),
  close: plainText(chat.modals.close),
  blocks: renderBlocks(card).slice(0, viewBlocksMax),
});

/** A modal that opens at once, until its content is known. */
export const renderLoadingModal = (title: string, messages: Messages): types.ModalView =>
  renderCardModal(title, textCard(messages.chat.modals.loading), messages);

/** The App Home: buttons, and below them the sections with their headings. */
export function renderHome(buttons: Button[], sections: Record<string, Card>): types.HomeView {
  const blocks = Object.entries(sections).flatMap(([heading, card]) => [
    { type: 'header' as const, text: plainText(heading) },
    ...renderBlocks(card),
  ]);
  const top = renderBlocks({ summary: [], lines: [], buttons });
  return { type: 'home', blocks: [...top, ...blocks].slice(0, viewBlocksMax) };
}

/** Marks the button of a list item: its response does not replace the whole list. */
export const itemSuffix = '.item';

/** The buttons of a list item. A screen reader says which item each of them is for. */
const renderItemActions = ({ label, buttons }: Item): types.ActionsBlock => ({
  type: 'actions',
  elements: buttons.map((button) => ({
    ...renderButton(button, itemSuffix),
    accessibility_label: `${button.label}: ${label}`.slice(0, spokenLabelMax),
  })),
});

/** Lines share a section as long as they fit. */
function sections(lines: Line[]): Block[] {
  const texts: string[] = [];
  for (const line of lines.map(mrkdwn)) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + line.length < sectionMax)
      texts[texts.length - 1] = `${last}\n${line}`;
    else texts.push(line.slice(0, sectionMax));
  }
  return texts.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text: text || ' ' } }));
}

/** Slack's markup, with everything else escaped (docs.slack.dev, “Formatting message text”). */
const slackMarkup: Markup = {
  text: escaped,
  bold: (text) => `*${escaped(text.replaceAll('*', '’'))}*`,
  code: (text) => `\`${escaped(text)}\``,
  person: (address) => `<@${addressUser(address)}>`,
  time: renderTime,
  link: (url, label) => `<${url}|${escaped(label).replaceAll('|', '¦')}>`,
};

const mrkdwn = (line: Line): string => inMarkup(line, slackMarkup);

/** Slack shows it in the reader's time zone; the text after the bar is for clients that cannot. */
function renderTime({ time, as }: TimePart): string {
  const token = { date: '{date_short}', moment: '{date_short}, {time}' }[as];
  return `<!date^${Math.floor(time / 1_000)}^${token}|${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC>`;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A row of buttons. */
export const renderActions = (buttons: Button[]): types.ActionsBlock => ({
  type: 'actions',
  elements: buttons.map((button) => renderButton(button)),
});

function renderButton({ label, style, confirm, ...act }: Button, suffix = ''): types.Button {
  return {
    type: 'button',
    text: plainText(label),
    action_id: `${confirm?.id ?? act.id}${suffix}`,
    ...('url' in act && { url: act.url }),
    ...('value' in act && { value: act.value }),
    ...(style && { style }),
    ...(confirm && {
      confirm: {
        title: plainText(confirm.title),
        text: plainText(confirm.text),
        confirm: plainText(confirm.yes),
        deny: plainText(confirm.no),
      },
    }),
  };
}
