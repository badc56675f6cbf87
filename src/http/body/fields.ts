import { malformed } from './errors.ts';

/** A header field such as `form-data; name="a"`: the value in lower case, parameters under their lower-case names. */
export type BodyField = { value: string; parameters: Map<string, string> };

/**
 * Parses `value; name=token; name="quoted"` with any spacing. Inside quotes a backslash escapes only quotes and itself,
 * since browsers do not escape those in file names. An unclosed quote or a parameter with two values is malformed.
 */
export function parseField(text: string): BodyField {
  const end = endOfPiece(text, 0);
  const parameters = new Map<string, string>();
  let at = end + 1;
  while (at < text.length) {
    const stop = endOfPiece(text, at);
    addParameter(parameters, text.slice(at, stop));
    at = stop + 1;
  }
  return { value: text.slice(0, end).trim().toLowerCase(), parameters };
}

/** The position of the next semicolon outside quotes, or the end. */
function endOfPiece(text: string, start: number): number {
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '\\' && isEscapable(text[at + 1])) at += 1;
    else if (character === '"') quoted = !quoted;
    else if (character === ';' && !quoted) return at;
  }
  if (quoted) throw malformed('A header has a quote that is never closed.');
  return text.length;
}

function isEscapable(character: string | undefined): boolean {
  return character === '"' || character === '\\';
}

function addParameter(parameters: Map<string, string>, piece: string): void {
  const equals = piece.indexOf('=');
  if (equals === -1) return;
  const name = piece.slice(0, equals).trim().toLowerCase();
  const value = unquote(piece.slice(equals + 1).trim());
  if ((parameters.get(name) ?? value) !== value) throw malformed('A header gives one parameter two values.');
  parameters.set(name, value);
}

function unquote(value: string): string {
  if (!value.startsWith('"')) return value;
  const close = value.lastIndexOf('"');
  return value.slice(1, close).replaceAll(/\\(["\\])/g, '$1');
}
