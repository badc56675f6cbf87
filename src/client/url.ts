/**
 * The URL that a text is by the URL standard, relative to `base` if there is one; undefined if it is none. Nothing else may
 * ask that: `URL.canParse` of Node.js 20 and 22 refuses hosts with letters such as ü once V8 has optimized its caller.
 */
export function maybeUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
