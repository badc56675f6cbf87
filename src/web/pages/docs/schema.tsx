import type { ComponentChild } from 'preact';
import type { JsonSchema } from '../../../http/openApi.ts';
import type { Messages } from '../../../locales/locales.ts';

type Texts = Messages['apiReference'];

/** An object of the API with its fields. One that has no fields of its own, such as a union, is left out. */
export function ApiObject({ texts, name, schema }: { texts: Texts; name: string; schema: JsonSchema }) {
  if (schema.properties === undefined) return null;
  return (
    <section id={anchorOf(name)}>
      <h3>{name}</h3>
      <FieldTable texts={texts} schema={schema} />
    </section>
  );
}

/** The fields of an object; those of an object within are named like `notify[viewed]`. */
export function FieldTable({ texts, schema, root }: { texts: Texts; schema: JsonSchema; root?: string }) {
  return (
    <ReferenceTable
      head={[texts.field, texts.values, texts.meaning]}
      rows={fieldsOf(schema, root).map(([name, rules]) => [
        <FieldName name={name} />,
        valuesOf(texts, rules),
        rules.description,
      ])}
    />
  );
}

/** Breaks before a bracket, where it must. */
function FieldName({ name }: { name: string }) {
  const [first, ...others] = name.split(/(?=\[)/);
  return (
    <code>
      {first}
      {others.map((part) => (
        <>
          <wbr />
          {part}
        </>
      ))}
    </code>
  );
}

/** Where the page describes a schema. */
export function anchorOf(name: string): string {
  return `object-${name}`;
}

/** The name that a reference ends with. */
export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function fieldsOf({ properties = {} }: JsonSchema, root?: string): [string, JsonSchema][] {
  return Object.entries(properties).flatMap(([name, rules]): [string, JsonSchema][] => {
    const full = root === undefined ? name : `${root}[${name}]`;
    return rules.properties ? fieldsOf(rules, full) : [[full, rules]];
  });
}

function valuesOf(texts: Texts, { $ref, type, enum: options, minimum, maximum, items }: JsonSchema) {
  if ($ref !== undefined) return <a href={`#${anchorOf(nameOf($ref))}`}>{nameOf($ref)}</a>;
  if (items?.$ref !== undefined)
    return <a href={`#${anchorOf(nameOf(items.$ref))}`}>{nameOf(items.$ref)}[]</a>;
  if (options !== undefined) return options.filter((word) => word !== null).join(', ');
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
    return texts.range(minimum, maximum);
  const [kind] = [type].flat();
  if (kind === 'boolean') return 'true, false';
  if (kind === 'integer') return texts.number;
  return kind === 'array' ? texts.list : texts.text;
}

/** A table of the reference. On a phone, its cells stand below one another. */
export function ReferenceTable({ head, rows }: { head: string[]; rows: ComponentChild[][] }) {
  if (rows.length === 0) return null;
  return (
    <table class="reference">
      <thead>
        <tr>
          {head.map((title) => (
            <th>{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
