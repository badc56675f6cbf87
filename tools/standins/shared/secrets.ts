import { parseJson } from './json.ts';

/**
 * Whether a text contains a secret: as it is, escaped for JSON (once or twice, with or without \u), for URLs and forms or
 * for HTML, in hexadecimal, or in base64 of either alphabet at any offset.
 */
export function holds(text: string, secret: string): boolean {
  if (secret === '') return false;
  const forms = formsOf(secret);
  return readings(text).some((reading) => forms.some((form) => reading.includes(form)));
}

function formsOf(secret: string): string[] {
  const json = inner(secret);
  const url = encodeURIComponent(secret);
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    secret,
    json,
    inner(json),
    asciiOnly(json),
    asciiOnly(json).replaceAll(/\\u[0-9a-f]{4}/g, (unit) => `\\u${unit.slice(2).toUpperCase()}`),
    html,
    inner(html),
    url,
    url.toLowerCase(),
    url.replaceAll('%20', '+'),
    ...hexesOf(secret),
    ...base64sOf(secret),
  ].filter((form) => form !== '');
}

/** The text itself, and the values of a form or a query string in it. */
function readings(text: string): string[] {
  const decoded = decode(text.replaceAll('+', ' '));
  const plain = decode(text);
  return [text, decoded, plain, ...valuesOf(parseJson(text)), ...valuesOf(parseJson(plain))];
}

/** All strings in a value, including those in JSON strings. */
function valuesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...valuesOf(parseContainer(value))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...valuesOf(item)]);
}

function parseContainer(text: string): unknown {
  return /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replaceAll(/(%[0-9a-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll('%', ''), 'hex').toString(),
    );
  }
}

function inner(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function asciiOnly(text: string): string {
  return text.replaceAll(/[^\0-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A few digits match by chance. */
function hexesOf(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex');
  return hex.length < 8 ? [] : [hex, hex.toUpperCase()];
}

/** Its base64, and the parts of it that do not depend on the surrounding text. Short parts are left out. */
function base64sOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const alone = bytes.toString('base64').replace(/=+$/, '');
  const inside = [0, 1, 2].map((before) => {
    const skipped = before === 0 ? 0 : 3 - before;
    const whole = bytes.length - skipped - ((bytes.length - skipped) % 3);
    return bytes.subarray(skipped, skipped + whole).toString('base64');
  });
  const forms = [...(alone.length >= 6 ? [alone] : []), ...inside.filter((form) => form.length >= 8)];
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
