import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import { type Fields, fieldsOf, listOf, textOf } from '../standins/shared/json.ts';
import { type PictureReader, platformTexts } from './reader.ts';

/** Something of Slack's to be drawn: what stands above it, and its blocks. */
export type Drawn = {
  title: string;
  blocks: Fields[];
  buttons?: [close: string, submit: string];
  isPrivate?: boolean;
};

/** A page that draws messages and modals much as Slack does, good enough to judge words and order by. */
export function drawPage(things: Drawn[], reader: PictureReader): string {
  const page = (
    <html lang={reader.locale}>
      <head>
        <meta charset="utf-8" />
        <style dangerouslySetInnerHTML={{ __html: styles }} />
      </head>
      <body>
        {things.map((thing) => (
          <Thing {...thing} reader={reader} />
        ))}
      </body>
    </html>
  );
  return `<!doctype html>${render(page)}`;
}

function Thing({ title, blocks, buttons, isPrivate, reader }: Drawn & { reader: PictureReader }) {
  return (
    <section>
      <h1>{title}</h1>
      {isPrivate && <p class="private">{platformTexts[reader.locale].slack.onlyYou}</p>}
      {blocks.map((block) => (
        <Block block={block} reader={reader} />
      ))}
      {buttons && (
        <p class="foot">
          <span class="button">{buttons[0]}</span> <span class="button primary">{buttons[1]}</span>
        </p>
      )}
    </section>
  );
}

function Block({ block, reader }: { block: Fields; reader: PictureReader }) {
  switch (block.type) {
    case 'header':
      return <h2>{textOf(fieldsOf(block.text).text)}</h2>;
    case 'divider':
      return <hr />;
    case 'section':
      return <p>{marked(textOf(fieldsOf(block.text).text), reader)}</p>;
    case 'context':
      return <p class="context">{listOf(block.elements).map((each) => marked(textOf(each.text), reader))}</p>;
    case 'actions':
      return (
        <p>
          {listOf(block.elements).map((button) => (
            <span class={`button ${textOf(button.style)}`}>{textOf(fieldsOf(button.text).text)}</span>
          ))}
        </p>
      );
    default:
      return <Input block={block} />;
  }
}

function Input({ block }: { block: Fields }) {
  const element = fieldsOf(block.element);
  const labelOf = (option: unknown) => textOf(fieldsOf(fieldsOf(option).text).text);
  const ticked = listOf(element.initial_options).map(labelOf);
  return (
    <div>
      <strong>{textOf(fieldsOf(block.label).text)}</strong> {block.optional === true && <i>(optional)</i>}
      {element.type === 'checkboxes' ? (
        listOf(element.options).map((option) => (
          <div>
            {ticked.includes(labelOf(option)) ? '☑' : '☐'} {labelOf(option)}
          </div>
        ))
      ) : (
        <div class={element.multiline === true ? 'field tall' : 'field'}>
          {labelOf(element.initial_option) || textOf(element.initial_value) || (
            <i>{textOf(fieldsOf(element.placeholder).text)}</i>
          )}
        </div>
      )}
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
    if (person !== undefined) return <b class="person">@{reader.nameOf(person)}</b>;
    const [, seconds] = /^<!date\^(\d+)/.exec(part) ?? [];
    if (seconds !== undefined) return platformTexts[reader.locale].slack.time;
    const [, label] = /^<[^|>]+\|([^>]+)>$/.exec(part) ?? [];
    return label === undefined ? plain(part) : <span class="link">{plain(label)}</span>;
  });
}

const plain = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const styles = `
  body { margin: 0; padding: 24px; font: 15px/1.46 Lato, system-ui, sans-serif; color: #1d1c1d; background: #f4f4f6;
    display: grid; grid-template-columns: repeat(2, 440px); gap: 20px; align-items: start; }
  section { background: #fff; border: 1px solid #ddd; border-radius: 10px; padding: 14px 18px; }
  h1 { font-size: 14px; margin: 0 0 8px; color: #616061; font-weight: 600; } h2 { font-size: 18px; margin: 12px 0 4px; }
  p { margin: 6px 0; overflow-wrap: anywhere; } .context, .private { font-size: 12.5px; color: #616061; }
  .button { display: inline-block; border: 1px solid #bbb; border-radius: 5px; padding: 3px 12px; margin: 2px 8px 2px 0; font-weight: 700; font-size: 14px; }
  .button.primary { background: #007a5a; border-color: #007a5a; color: #fff; } .button.danger { color: #b3123f; border-color: #b3123f; }
  .field { border: 1px solid #bbb; border-radius: 5px; padding: 5px 10px; margin: 3px 0 9px; } .tall { min-height: 60px; }
  .link { color: #1264a3; } .person { color: #1264a3; background: #e8f5fa; } code { color: #b3123f; background: #f7f7f9; border: 1px solid #ddd; padding: 0 3px; }
  i { color: #868686; } .foot { text-align: right; } hr { border: 0; border-top: 1px solid #ddd; }`;
