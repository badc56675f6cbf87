/** Stands around the name of a value. No page has this character: HTML does not allow it (HTML Standard, 13.2.3.5). */
const edge = '\u0001';

/** More are never needed; there is one for each language, theme and kind of page. */
const templatesMax = 200;

/**
 * Pages that are the same for every request but for some values: rendered and encoded once for each key, and then only
 * filled in. `render` gets what stands for each value. A value is put in as it is, so it must be markup of ours, or a text
 * that needs no escapes. Without a key, the page is rendered for this request alone.
 */
export function createTemplates<Name extends string>(names: readonly Name[]) {
  const marks = Object.fromEntries(names.map((name) => [name, `${edge}${name}${edge}`])) as Record<
    Name,
    string
  >;
  const templates = new Map<string, (Buffer | Name)[]>();

  /** Markup, and between two pieces of it the name of a value. */
  const piecesOf = (html: string) =>
    html.split(edge).map((text, index) => (index % 2 === 0 ? Buffer.from(text) : (text as Name)));

  return (
    key: string | undefined,
    values: Record<Name, string>,
    render: (marks: Record<Name, string>) => string,
  ): Buffer => {
    const known = key === undefined ? undefined : templates.get(key);
    const pieces = known ?? piecesOf(render(marks));
    if (known === undefined && key !== undefined && templates.size < templatesMax) templates.set(key, pieces);
    return Buffer.concat(
      pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(values[piece]) : piece)),
    );
  };
}
