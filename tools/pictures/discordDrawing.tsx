import type { ComponentChildren } from 'preact';
import type { Modal } from '../standins/discord/modals.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../standins/shared/json.ts';
import { discordStyles } from './discordStyles.ts';
import { AppIcon, type Column, CrossIcon, EyeIcon, renderFrame } from './frame.tsx';
import { formatted, messageTime, type PictureReader, platformTexts } from './reader.ts';

/** What Discord shows: a form with what was entered, or a message, as the answer to a command of somebody if it is one. */
export type DiscordScene =
  | { title: string; form: Fields[]; values: Record<string, unknown> }
  | {
      place: string;
      content: string;
      components: Fields[];
      isPrivate?: boolean;
      command?: { person: string; name: string };
    };

/** A form as it is now. */
export const modalScene = ({ title, view, values }: Modal): DiscordScene => ({
  title,
  form: structuredClone(view.components),
  values: structuredClone(values),
});

/** A page that draws what people see in Discord as Discord does. */
export function drawDiscord(columns: Column<DiscordScene>[], reader: PictureReader): string {
  return renderFrame({
    reader,
    styles: discordStyles,
    columns,
    draw: (scene) =>
      'form' in scene ? (
        <ModalPanel {...scene} reader={reader} />
      ) : (
        <MessagePanel {...scene} reader={reader} />
      ),
  });
}

type SceneProps<Name extends string> = Extract<DiscordScene, Record<Name, unknown>> & {
  reader: PictureReader;
};

function MessagePanel({
  place,
  content,
  components,
  isPrivate = false,
  command,
  reader,
}: SceneProps<'place'>) {
  const { onlyYou, dismiss, used, today } = platformTexts[reader.locale].discord;
  return (
    <section class="panel">
      <div class="bar">{place}</div>
      <div class={isPrivate ? 'message private' : 'message'}>
        {command && (
          <p class="command">
            <b>@{command.person}</b> {used} <span class="link">{command.name}</span>
          </p>
        )}
        <AppIcon />
        <div>
          <p class="author">
            <b>hushpush</b> <span class="badge">APP</span>{' '}
            <time>
              {today} {messageTime(reader)}
            </time>
          </p>
          {content.split('\n').map((line) => (
            <Line text={line} reader={reader} />
          ))}
          {components.map((row) => (
            <Row row={row} />
          ))}
          {isPrivate && (
            <p class="only-you">
              <EyeIcon /> {onlyYou} • <span class="link">{dismiss}</span>
            </p>
          )}
        </div>
      </div>
    </section>
  );
}

function Line({ text, reader }: { text: string; reader: PictureReader }) {
  const [, small] = /^-# (.*)$/.exec(text) ?? [];
  if (small !== undefined) return <p class="subtext">{marked(small, reader)}</p>;
  return <p>{marked(text, reader)}</p>;
}

const [button, textInput, label, paragraph] = [2, 4, 18, 2];
const buttonStyles = ['', 'primary', 'secondary', 'success', 'danger', 'secondary'];

function Row({ row }: { row: Fields }) {
  return (
    <p class="row">
      {listOf(row.components).map((one) =>
        one.type === button ? (
          <span class={`button ${buttonStyles[Number(one.style)]}`}>{textOf(one.label)}</span>
        ) : (
          <span class="field menu hint">{textOf(one.placeholder)}</span>
        ),
      )}
    </p>
  );
}

function ModalPanel({ title, form, values, reader }: SceneProps<'form'>) {
  const { cancel, submit, warning } = platformTexts[reader.locale].discord;
  return (
    <section class="panel modal">
      <div class="bar">
        <AppIcon /> <span class="modal-title">{title}</span> <CrossIcon />
      </div>
      <div class="body">
        <p class="warning">{warning}</p>
        {form.map((one) =>
          one.type === label ? (
            <Input one={one} value={values[textOf(one.label)]} reader={reader} />
          ) : (
            <Line text={textOf(one.content)} reader={reader} />
          ),
        )}
      </div>
      <div class="footer">
        <span class="button secondary">{cancel}</span>
        <span class="button primary">{submit}</span>
      </div>
    </section>
  );
}

function Input({ one, value, reader }: { one: Fields; value: unknown; reader: PictureReader }) {
  const field = fieldsOf(one.component);
  const description = textOf(one.description);
  const entered = [value].flat().filter((each) => typeof each === 'string' && each !== '');
  const hint = textOf(field.placeholder) || (field.type === textInput ? '' : menuHint(reader));
  const shape = [field.type === textInput ? '' : 'menu', field.style === paragraph ? 'tall' : ''].join(' ');
  return (
    <div class="input">
      <p>
        <b>{textOf(one.label)}</b> {field.required !== false && <b class="needed">*</b>}
      </p>
      {description !== '' && <p class="description">{description}</p>}
      <div class={`field ${shape}`}>{entered.join(', ') || <span class="hint">{hint}</span>}</div>
    </div>
  );
}

const menuHint = ({ locale }: PictureReader) => platformTexts[locale].discord.select;

/** Discord's markup, as far as we use it. */
function marked(text: string, reader: PictureReader): ComponentChildren[] {
  const parts = text.replace(/^- /, '• ').split(/(\*\*.+?\*\*|`[^`]+`|\[[^\]]+\]\(<[^>]+>\)|<[^>]+>)/);
  return parts.map((part) => {
    if (/^\*\*.+\*\*$/.test(part)) return <strong>{unescaped(part.slice(2, -2))}</strong>;
    if (/^`.+`$/.test(part)) return <code>{part.slice(1, -1)}</code>;
    const [, label] = /^\[(.+)\]\(</.exec(part) ?? [];
    if (label !== undefined) return <span class="link">{unescaped(label)}</span>;
    const [, person] = /^<@(\d+)>$/.exec(part) ?? [];
    if (person !== undefined) return <span class="mention">@{reader.nameOf(person)}</span>;
    const [, seconds, style] = /^<t:(\d+):(\w)>$/.exec(part) ?? [];
    if (seconds !== undefined) return <span class="moment">{momentOf(Number(seconds), style, reader)}</span>;
    return /^<http/.test(part) ? <span class="link">{part.slice(1, -1)}</span> : unescaped(part);
  });
}

function momentOf(seconds: number, style: string | undefined, reader: PictureReader): string {
  const date = formatted(reader, seconds, { dateStyle: 'long' });
  return style === 'D' ? date : `${date} ${formatted(reader, seconds, { timeStyle: 'short' })}`;
}

const unescaped = (text: string) => text.replaceAll(/\\(?=[^\w\s])/g, '');
