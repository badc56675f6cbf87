import { type Button, type Card, inMarkup, type Line, type Markup, plainMarkup } from '../card.ts';
import { peopleIn, type TimeReader, timeInWords } from '../inWords.ts';
import type { PostContent } from './api.ts';

/** What a button carries, hidden from people. */
export type SealedPress = {
  id: string;
  value: string;
  /** Whether it belongs to one item of a list. */
  isItem?: boolean;
  /** The team whose rules apply, where the press does not tell. */
  team?: string | undefined;
  /** Where an answer can be shown beside a private one, which cannot be edited. */
  responseUrl?: string | undefined;
  /** The post below which the one with the button stands. */
  root?: string | undefined;
};

export type RenderOptions = Pick<SealedPress, 'team' | 'responseUrl' | 'root'> & {
  reader: TimeReader;
  /** For everybody in a channel. */
  isPublic?: boolean;
};

type Dependencies = {
  /** Where presses are sent. */
  actionsUrl: string;
  seal: (press: SealedPress) => string;
  namesOf: (ids: string[]) => Promise<Map<string, string>>;
  /** The colour of the bar beside attachments, as `#rrggbb`. */
  color?: string | undefined;
};

export type RenderMattermostPost = ReturnType<typeof createRenderer>;

/** A mark that nobody sees, and that parts what would be a mention, a link or an emoji. */
const invisible = '\u200b';

/** A card as a post. Attachments hold buttons, and keep links from being previewed. */
export function createRenderer({ actionsUrl, seal, namesOf, color }: Dependencies) {
  return async function render(card: Card, options: RenderOptions): Promise<PostContent> {
    const { reader, isPublic = false, ...origin } = options;
    const names = await namesOf(peopleIn(card));
    const markup = markupFor(reader, names, isPublic);
    const text = (line: Line) => inMarkup(line, markup);
    const person = (address: string) => `@${names.get(address) ?? address}`;
    const plain = { ...plainMarkup, person, time: () => '' }; // for notifications
    let count = 0;
    const actionOf = ({ id, label, style, value = '' }: Button, isItem: boolean) => ({
      id: `press${count++}`, // letters and digits only: it is part of an address
      type: 'button',
      name: label,
      ...(style && { style }),
      integration: { url: actionsUrl, context: { sealed: seal({ id, value, isItem, ...origin }) } },
    });
    const attachmentOf = (lines: Line[], buttons: Button[], isItem = false) => {
      const links = buttons.filter((button) => 'url' in button).map(({ label, url }) => linkTo(label, url));
      return {
        fallback: inMarkup(card.summary, plain),
        ...(color && { color }),
        text: [...lines.map(text), ...links].join('\n'),
        actions: buttons.filter((button) => !('url' in button)).map((button) => actionOf(button, isItem)),
      };
    };
    const { lines, summary, items = [], footnotes = [], buttons = [] } = card;
    const attachments = items.map((item) => attachmentOf([item.line], item.buttons, true));
    if (footnotes.length + buttons.length > 0) attachments.push(attachmentOf(footnotes, buttons));
    return { message: (lines.length > 0 ? lines : [summary]).map(text).join('\n'), props: { attachments } };
  };
}

const linkTo = (label: string, url: string) => `**[${escaped(label)}](${url})**`;

/** Mentions are by name. `isPublic` is for everybody in a channel: mentions then notify nobody, and times are in UTC. */
const markupFor = (
  { locale, timeZone }: TimeReader,
  names: Map<string, string>,
  isPublic: boolean,
): Markup => ({
  text: escaped,
  bold: (text) => `**${escaped(text)}**`,
  code: (text) => `\`${text}\``,
  person: (address) => `@${isPublic ? invisible : ''}${names.get(address) ?? address}`,
  time: (part) => escaped(timeInWords(part, { locale, ...(!isPublic && { timeZone }) })),
  link: (url, label) => (url === label ? `<${url}>` : `[${escaped(label)}](${url})`),
});

/** Mattermost's markup, with everything else escaped: also mentions, channels, emoji, and addresses that become links. */
function escaped(text: string): string {
  return text
    .replace(/[\\*_~`|[\]#<>{}]/g, '\\$&')
    .replace(/^(\s*)(-|\+|\d+\.)/gm, `$1${invisible}$2`)
    .replace(/@(?=\w)/g, `@${invisible}`)
    .replace(/:(?=\/\/|[\w+-]+:)/g, `:${invisible}`)
    .replace(/\bwww\./gi, (www) => `${www.slice(0, 3)}${invisible}.`);
}
