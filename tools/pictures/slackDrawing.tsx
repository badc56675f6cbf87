import type { ComponentChildren } from 'preact';
import { type Fields, fieldsOf, listOf, textOf } from '../standins/shared/json.ts';
import type { Modal } from '../standins/slack/modals.ts';
import { AppIcon, type Column, CrossIcon, EyeIcon, renderFrame } from './frame.tsx';
import { formatted, messageTime, type PictureReader, platformTexts } from './reader.ts';
import { slackStyles } from './slackStyles.ts';

/** What Slack shows: a form with what was entered, the Home, or a message with its thread. */
export type SlackScene =
  | { modal: Fields; values: Record<string, unknown> }
  | { home: Fields[] }
  | { place: string; message: Fields[]; isPrivate?: boolean; replies?: Fields[][] };

/** A form as it is now. */
export const modalScene = ({ view, values }: Modal): SlackScene => ({
  modal: structuredClone({ ...view.content, blocks: view.blocks }),
  values: structuredClone(values),
});

/** A page that draws what people see in Slack as Slack does. */
export function drawSlack(columns: Column<SlackScene>[], reader: PictureReader): string {
  return renderFrame({
    reader,
    styles: slackStyles,
    columns,
    draw: (scene) => <Scene scene={scene} reader={reader} />,
  });
}

function Scene({ scene, reader }: { scene: SlackScene; reader: PictureReader }) {
  if ('modal' in scene) return <ModalPanel view={scene.modal} values={scene.values} reader={reader} />;
  if ('home' in scene) return <HomePanel blocks={scene.home} reader={reader} />;
  const { place, message, isPrivate = false, replies = [] } = scene;
  const { thread, reply } = platformTexts[reader.locale].slack;
  return (
    <>
      <section class="panel">
        <div class="bar">{place}</div>
        <Message blocks={message} isPrivate={isPrivate} reader={reader} />
      </section>
      {replies.map((blocks) => (
        <section class="panel">
          <div class="bar">
            {thread} <small>{place}</small>
          </div>
          <div class="replies">{reply}</div>
          <Message blocks={blocks} reader={reader} />
        </section>
      ))}
    </>
  );
}

type MessageProps = { blocks: Fields[]; isPrivate?: boolean; reader: PictureReader };

function Message({ blocks, isPrivate = false, reader }: MessageProps) {
  return (
    <div class="message">
      {isPrivate && (
        <p class="only-you">
          <EyeIcon /> {platformTexts[reader.locale].slack.onlyYou}
        </p>
      )}
      <AppIcon />
      <div>
        <p class="author">
          <b>hushpush</b> <span class="badge">APP</span> <time>{messageTime(reader)}</time>
        </p>
        <Blocks blocks={blocks} reader={reader} />
      </div>
    </div>
  );
}

function HomePanel({ blocks, reader }: { blocks: Fields[]; reader: PictureReader }) {
  const { home, messages, about } = platformTexts[reader.locale].slack;
  return (
    <section class="panel">
      <div class="bar">
        <AppIcon /> hushpush
      </div>
      <div class="home-tabs">
        <span class="current">{home}</span> <span>{messages}</span> <span>{about}</span>
      </div>
      <div class="body">
        <Blocks blocks={blocks} reader={reader} />
      </div>
    </section>
  );
}

type ModalProps = { view: Fields; values: Record<string, unknown>; reader: PictureReader };

function ModalPanel({ view, values, reader }: ModalProps) {
  return (
    <section class="panel modal">
      <div class="bar">
        <AppIcon /> <span class="modal-title">{plainOf(view.title)}</span> <CrossIcon />
      </div>
      <div class="body">
        <Blocks blocks={listOf(view.blocks)} values={values} reader={reader} />
      </div>
      <div class="footer">
        <span class="button">{plainOf(view.close)}</span>
        <span class="button primary">{plainOf(view.submit)}</span>
      </div>
    </section>
  );
}

type BlocksProps = { blocks: Fields[]; values?: Record<string, unknown>; reader: PictureReader };

function Blocks({ blocks, values = {}, reader }: BlocksProps) {
  return blocks.map((block) => <Block block={block} values={values} reader={reader} />);
}

type BlockProps = { block: Fields; values: Record<string, unknown>; reader: PictureReader };

function Block({ block, values, reader }: BlockProps) {
  switch (block.type) {
    case 'header':
      return <h2>{plainOf(block.text)}</h2>;
    case 'divider':
      return <hr />;
    case 'section':
      return <p class="section">{marked(textOf(fieldsOf(block.text).text), reader)}</p>;
    case 'context':
      return <p class="context">{listOf(block.elements).map(({ text }) => marked(textOf(text), reader))}</p>;
    case 'actions':
      return (
        <p class="actions">
          {listOf(block.elements).map((button) => (
            <span class={`button ${textOf(button.style)}`}>{plainOf(button.text)}</span>
          ))}
        </p>
      );
    default:
      return <Input block={block} value={values[plainOf(block.label)]} reader={reader} />;
  }
}

type InputProps = { block: Fields; value: unknown; reader: PictureReader };

function Input({ block, value, reader }: InputProps) {
  return (
    <div class="input">
      <p>
        <b>{plainOf(block.label)}</b>{' '}
        {block.optional === true && (
          <span class="optional">{platformTexts[reader.locale].slack.optional}</span>
        )}
      </p>
      <Control element={fieldsOf(block.element)} value={value} reader={reader} />
    </div>
  );
}

type ControlProps = { element: Fields; value: unknown; reader: PictureReader };

function Control({ element, value, reader }: ControlProps) {
  const entries = (Array.isArray(value) ? value : [value]).filter(
    (one) => typeof one === 'string' && one !== '',
  );
  const hint = <span class="hint">{plainOf(element.placeholder)}</span>;
  if (element.type === 'checkboxes')
    return listOf(element.options).map(({ text }) => (
      <div class={entries.includes(plainOf(text)) ? 'checkbox checked' : 'checkbox'}>{plainOf(text)}</div>
    ));
  if (element.type === 'plain_text_input')
    return <div class={element.multiline === true ? 'field tall' : 'field'}>{entries[0] ?? hint}</div>;
  if (/users_select$/.test(textOf(element.type)))
    return (
      <div class="field menu">
        {entries.length === 0 ? hint : entries.map((id) => <span class="token">{reader.nameOf(id)}</span>)}
      </div>
    );
  return (
    <div class="field menu">
      {entries.join(', ') || <span class="hint">{platformTexts[reader.locale].slack.select}</span>}
    </div>
  );
}

/** Slack's markup, as far as we use it. */
function marked(text: string, reader: PictureReader): ComponentChildren[] {
  return text.split(/(<[^>]+>|\*[^*\n]+\*|`[^`\n]+`|\n)/).map((part) => {
    if (part === '\n') return <br />;
    if (/^\*.+\*$/.test(part)) return <strong>{plain(part.slice(1, -1))}</strong>;
    if (/^`.+`$/.test(part)) return <code>{plain(part.slice(1, -1))}</code>;
    const [, person] = /^<@(\w+)>$/.exec(part) ?? [];
    if (person !== undefined) return <span class="mention">@{reader.nameOf(person)}</span>;
    const [, seconds, tokens = ''] = /^<!date\^(\d+)\^([^|]+)/.exec(part) ?? [];
    if (seconds !== undefined) return momentOf(tokens, Number(seconds), reader);
    const [, label] = /^<[^|>]+\|([^>]+)>$/.exec(part) ?? [];
    return label === undefined ? plain(part) : <span class="link">{plain(label)}</span>;
  });
}

const momentOf = (tokens: string, seconds: number, reader: PictureReader) =>
  tokens
    .replace('{date_short}', formatted(reader, seconds, { year: 'numeric', month: 'short', day: 'numeric' }))
    .replace('{time}', formatted(reader, seconds, { timeStyle: 'short' }));

const plainOf = (text: unknown): string => textOf(fieldsOf(text).text);
const plain = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
