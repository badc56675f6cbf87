import type { Button, Card, Item, Line, TextPart } from '../card.ts';
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
  /** For everybody in a channel: mentions then notify nobody, and times are in UTC. */
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
    const { isPublic = false, team, responseUrl, root } = options;
    const names = await namesOf(peopleIn(card));
    const reader = isPublic ? { locale: options.reader.locale } : options.reader;
    const text = (line: Line) => line.map((part) => renderPart(part, { names, reader, isPublic })).join('');
    let count = 0;
    const actionOf = (button: Button, isItem = false) => ({
      id: `press${count++}`, // letters and digits only: it is part of an address
      type: 'button',
      name: button.label,
      ...(button.style && { style: button.style }),
      integration: {
        url: actionsUrl,
        context: {
          sealed: seal({ id: button.id, value: button.value ?? '', isItem, team, responseUrl, root }),
        },
      },
    });
    const attachmentOf = (lines: Line[], buttons: Button[], isItem = false) => {
      const links = buttons.filter((button) => 'url' in button).map(({ label, url }) => linkTo(label, url));
      return {
        fallback: plain(card.summary, names),
        ...(color && { color }),
        text: [...lines.map(text), ...links].join('\n'),
        actions: buttons.filter((button) => !('url' in button)).map((button) => actionOf(button, isItem)),
      };
    };
    const { lines, summary, items = [], footnotes = [], buttons = [] } = card;
    const ofItem = ({ line, buttons: own }: Item) => attachmentOf([line], own, true);
    const hasLast = footnotes.length > 0 || buttons.length > 0;
    return {
      message: (lines.length > 0 ? lines : [summary]).map(text).join('\n'),
      props: {
        attachments: [...items.map(ofItem), ...(hasLast ? [attachmentOf(footnotes, buttons)] : [])],
      },
    };
  };
}

const linkTo = (label: string, url: string) => `**[${escaped(label)}](${url})**`;

type PartOptions = { names: Map<string, string>; reader: TimeReader; isPublic: boolean };

function renderPart(part: TextPart, { names, reader, isPublic }: PartOptions): string {
  if (typeof part === 'string') return escaped(part);
  if ('bold' in part) return `**${escaped(part.bold.replace(/\s+/g, ' '))}**`;
  if ('code' in part) return `\`${part.code.replaceAll('`', '’').replace(/\s+/g, ' ')}\``;
  if ('person' in part) return `@${isPublic ? invisible : ''}${names.get(part.person) ?? part.person}`;
  if ('time' in part) return escaped(timeInWords(part, reader));
  return part.link === part.label ? `<${part.link}>` : `[${escaped(part.label)}](${part.link})`;
}

/** For notifications, which show no markup. */
const plain = (line: Line, names: Map<string, string>): string =>
  line
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('person' in part) return `@${names.get(part.person) ?? part.person}`;
      return 'bold' in part ? part.bold : 'code' in part ? part.code : 'label' in part ? part.label : '';
    })
    .join('');

/** Mattermost's markup, with everything else escaped: also mentions, channels, emoji, and addresses that become links. */
function escaped(text: string): string {
  return text
    .replace(/[\\*_~`|[\]#<>{}]/g, '\\$&')
    .replace(/^(\s*)(-|\+|\d+\.)/gm, `$1${invisible}$2`)
    .replace(/@(?=\w)/g, `@${invisible}`)
    .replace(/:(?=\/\/|[\w+-]+:)/g, `:${invisible}`)
    .replace(/\bwww\./gi, (www) => `${www.slice(0, 3)}${invisible}.`);
}
