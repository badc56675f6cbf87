export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty object. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** The objects in a list, or an empty list for anything else. */
export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** The value if it is a string, else an empty string. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value of a JSON text, or undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
