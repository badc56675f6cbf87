/**
 * The URL that a text is by the URL standard, relative to `base` if there is one; undefined if it is none. Unlike
 * `URL.canParse` of Node.js 20 and 22, it takes hosts with letters such as ü even after V8 has optimized its caller.
 */
export function maybeUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
