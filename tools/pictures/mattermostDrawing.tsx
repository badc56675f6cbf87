import type { ComponentChildren } from 'preact';
import type { SeenDialog, SeenPost } from '../standins/mattermost/seen.ts';
import { type Fields, listOf, textOf } from '../standins/shared/json.ts';
import { AppIcon, type Column, CrossIcon, renderFrame } from './frame.tsx';
import { mattermostStyles } from './mattermostStyles.ts';
import { formatted, messageTime, type PictureReader, platformTexts } from './reader.ts';

/** What Mattermost shows: a dialog with what was entered, or posts. */
export type MattermostScene =
  | { dialog: Fields; values: Fields }
  | { place: string; isPrivate: boolean; message: string; attachments: Fields[] };

/** A dialog as it is now. */
export const dialogScene = ({ dialog, values }: SeenDialog): MattermostScene =>
  structuredClone({ dialog: dialog.content, values });

/** A post as it is now. */
export const postScene = (place: string, { sent }: SeenPost): MattermostScene => ({
  ...{ place, isPrivate: sent.onlyFor !== undefined },
  ...structuredClone({ message: sent.message, attachments: sent.attachments }),
});

/** A page that draws what people see in Mattermost as Mattermost does. */
export function drawMattermost(columns: Column<MattermostScene>[], reader: PictureReader): string {
  return renderFrame({
    reader,
    styles: mattermostStyles,
    columns,
    draw: (scene) =>
      'dialog' in scene ? (
        <DialogPanel {...scene} reader={reader} />
      ) : (
        <PostPanel {...scene} reader={reader} />
      ),
  });
}

type SceneProps<Name extends string> = Extract<MattermostScene, Record<Name, unknown>> & {
  reader: PictureReader;
};

function PostPanel({ place, isPrivate, message, attachments, reader }: SceneProps<'place'>) {
  return (
    <section class="panel">
      <div class="bar">{place}</div>
      <div class="message">
        <AppIcon />
        <div>
          <p class="author">
            <b>hushpush</b> <span class="badge">BOT</span> <time>{messageTime(reader)}</time>
            {isPrivate && <span class="only-you">{platformTexts[reader.locale].mattermost.onlyYou}</span>}
          </p>
          <Lines text={message} reader={reader} />
          {attachments.map((each) => (
            <Attachment attachment={each} reader={reader} />
          ))}
        </div>
      </div>
    </section>
  );
}

function Attachment({ attachment, reader }: { attachment: Fields; reader: PictureReader }) {
  const actions = listOf(attachment.actions);
  return (
    <div
      class="attachment"
      style={attachment.color ? `border-left-color:${textOf(attachment.color)}` : undefined}
    >
      <Lines text={textOf(attachment.text)} reader={reader} />
      {actions.length > 0 && (
        <p class="actions">
          {actions.map(({ name, style }) => (
            <span class={`button ${textOf(style)}`}>{textOf(name)}</span>
          ))}
        </p>
      )}
    </div>
  );
}

function Lines({ text, reader }: { text: string; reader: PictureReader }) {
  if (text === '') return null;
  return text.split('\n').map((line) => <p>{marked(line, reader)}</p>);
}

function DialogPanel({ dialog, values, reader }: SceneProps<'dialog'>) {
  const introduction = textOf(dialog.introduction_text);
  return (
    <section class="panel modal">
      <div class="bar">
        <span class="modal-title">{textOf(dialog.title)}</span> <CrossIcon />
      </div>
      <div class="body">
        <Lines text={introduction} reader={reader} />
        {listOf(dialog.elements).map((element) => (
          <Input element={element} value={values[textOf(element.name)]} reader={reader} />
        ))}
      </div>
      <div class="footer">
        <span class="button">{platformTexts[reader.locale].mattermost.cancel}</span>
        <span class="button primary">{textOf(dialog.submit_label)}</span>
      </div>
    </section>
  );
}

function Input({ element, value, reader }: { element: Fields; value: unknown; reader: PictureReader }) {
  const { optional, select } = platformTexts[reader.locale].mattermost;
  const isSelect = element.type === 'select';
  const entered = [value].flat().filter((each) => typeof each === 'string' && each !== '') as string[];
  const labelOf = (entry: string) =>
    textOf(listOf(element.options).find((option) => option.value === entry)?.text) || reader.nameOf(entry);
  const shape = isSelect ? 'menu' : element.type === 'textarea' ? 'tall' : '';
  const shown =
    element.multiselect === true
      ? entered.map((each) => <span class="token">{labelOf(each)}</span>)
      : entered.map(isSelect ? labelOf : String);
  return (
    <div class="input">
      <p>
        <b>{textOf(element.display_name)}</b>{' '}
        {element.optional === true ? <span class="optional">{optional}</span> : <b class="needed">*</b>}
      </p>
      <div class={`field ${shape}`}>
        {shown.length > 0 ? shown : <span class="hint">{isSelect ? select : ''}</span>}
      </div>
      {textOf(element.help_text) !== '' && <p class="help">{textOf(element.help_text)}</p>}
    </div>
  );
}

/** Mattermost's markup, as far as we use it. */
function marked(text: string, reader: PictureReader): ComponentChildren[] {
  return text
    .split(/(\*\*(?:\\.|[^*\\])+\*\*|`[^`]+`|\[(?:\\.|[^\]\\])+\]\([^)]+\)|<http[^>]+>|(?<!\w)@[\w-]+)/)
    .map((part) => {
      const [, bold] = /^\*\*(.+)\*\*$/.exec(part) ?? [];
      if (bold !== undefined) return <strong>{marked(bold, reader)}</strong>;
      if (/^`.+`$/.test(part)) return <code>{part.slice(1, -1)}</code>;
      const [, label = part.slice(1, -1)] = /^\[(.+)\]\(/.exec(part) ?? [];
      if (/^(\[|<http)/.test(part)) return <span class="link">{plain(label, reader)}</span>;
      return part.startsWith('@') ? <span class="mention">{part}</span> : plain(part, reader);
    });
}

/** Text without escapes, and with times as if it were the day of all pictures. */
const plain = (text: string, reader: PictureReader): string =>
  text
    .replaceAll(/\\(?=[^\w\s])/g, '')
    .replaceAll('\u200b', '')
    .replaceAll(/[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2}\s[AP]M/g, (time) =>
      momentOf(Date.parse(`${time.replace('\u202f', ' ')} UTC`), reader),
    )
    .replaceAll(/(\d{2})\.(\d{2})\.(\d{4}), (\d{2}):(\d{2})/g, (_time, day, month, ...rest) =>
      momentOf(
        Date.UTC(Number(rest[0]), Number(month) - 1, Number(day), Number(rest[1]), Number(rest[2])),
        reader,
      ),
    );

/** A minute whose seconds were left out, at its end. */
const momentOf = (ms: number, reader: PictureReader): string =>
  formatted(reader, ms / 1_000 + 59, { dateStyle: 'medium', timeStyle: 'short' });
