import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import { type Fields, fieldsOf, listOf, textOf } from '../standins/shared/json.ts';
import { type PictureReader, platformTexts } from './reader.ts';

/** Something of Discord's to be drawn: what stands above it, what a message says, and its components. */
export type Drawn = { title: string; content?: string; components: Fields[]; isPrivate?: boolean };

/** A page that draws messages and modals much as Discord does, good enough to judge words and order by. */
export function drawPage(things: Drawn[], reader: PictureReader): string {
  const page = (
    <html lang={reader.locale}>
      <head>
        <meta charset="utf-8" />
        <style dangerouslySetInnerHTML={{ __html: styles }} />
      </head>
      <body>
        {things.map(({ title, content, components, isPrivate }) => (
          <section>
            <h1>{title}</h1>
            {content?.split('\n').map((line) => (
              <p>{marked(line, reader)}</p>
            ))}
            {components.map((one) => (
              <Part one={one} reader={reader} />
            ))}
            {isPrivate && <p class="small">{platformTexts[reader.locale].discord.onlyYou}</p>}
          </section>
        ))}
      </body>
    </html>
  );
  return `<!doctype html>${render(page)}`;
}

const [row, button, menu, label] = [1, 2, 3, 18];
const styleNames = ['', 'primary', 'secondary', 'success', 'danger', 'secondary'];

function Part({ one, reader }: { one: Fields; reader: PictureReader }) {
  if (one.type === row)
    return (
      <p>
        {listOf(one.components).map((inner) => (
          <Part one={inner} reader={reader} />
        ))}
      </p>
    );
  if (one.type === button)
    return <span class={`button ${styleNames[Number(one.style)]}`}>{textOf(one.label)}</span>;
  if (one.type === menu) return <span class="field">{textOf(one.placeholder)} ▾</span>;
  if (one.type === label) return <Input one={one} reader={reader} />;
  return <p>{textOf(one.content)}</p>;
}

function Input({ one, reader }: { one: Fields; reader: PictureReader }) {
  const field = fieldsOf(one.component);
  const people = listOf(field.default_values).map(({ id }) => `@${reader.nameOf(textOf(id))}`);
  const chosen = listOf(field.options).filter((option) => option.default === true);
  const entered = [...people, ...chosen.map((option) => textOf(option.label))].join(', ');
  return (
    <div>
      <strong>{textOf(one.label)}</strong> {field.required !== false && <b class="needed">*</b>}
      {textOf(one.description) !== '' && <div class="small">{textOf(one.description)}</div>}
      <div class={field.style === 2 ? 'field tall' : 'field'}>
        {entered || <i>{textOf(field.placeholder)}</i>}
      </div>
    </div>
  );
}

/** Discord's markup, as far as we use it. */
function marked(text: string, reader: PictureReader): ComponentChildren[] {
  return text.split(/(\*\*.+?\*\*|`[^`]+`|<[^>]+>)/).map((part) => {
    if (/^\*\*.+\*\*$/.test(part)) return <strong>{part.slice(2, -2)}</strong>;
    if (/^`.+`$/.test(part)) return <code>{part.slice(1, -1)}</code>;
    const [, person] = /^<@(\d+)>$/.exec(part) ?? [];
    if (person !== undefined) return <b class="person">@{reader.nameOf(person)}</b>;
    if (/^<t:/.test(part)) return platformTexts[reader.locale].discord.time;
    return /^<http/.test(part) ? <span class="link">{part.slice(1, -1)}</span> : part;
  });
}

const styles = `
  body { margin: 0; padding: 24px; font: 15px/1.4 'gg sans', system-ui, sans-serif; color: #dbdee1; background: #1e1f22;
    display: grid; grid-template-columns: repeat(2, 440px); gap: 20px; align-items: start; }
  section { background: #313338; border-radius: 8px; padding: 14px 18px; }
  h1 { font-size: 13px; margin: 0 0 8px; color: #b5bac1; font-weight: 600; }
  p { margin: 5px 0; overflow-wrap: anywhere; } .small { font-size: 12px; color: #b5bac1; }
  .button { display: inline-block; border-radius: 4px; padding: 4px 14px; margin: 4px 8px 2px 0; font-weight: 500; font-size: 14px; background: #4e5058; color: #fff; }
  .button.primary { background: #5865f2; } .button.danger { background: #da373c; }
  .field { display: block; background: #1e1f22; border-radius: 4px; padding: 7px 10px; margin: 3px 0 10px; min-height: 20px; } .tall { min-height: 54px; }
  .link { color: #00a8fc; } .person { color: #c9cdfb; background: #3c4270; border-radius: 3px; padding: 0 2px; font-weight: 500; } .needed { color: #f23f43; }
  code { background: #1e1f22; border-radius: 3px; padding: 1px 4px; } i { color: #87898c; font-style: normal; }`;
