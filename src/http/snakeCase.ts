/** The name of a field in requests and answers: `expireAfterDays` is `expire_after_days` there. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Gives the fields of a request, and the fields within them, the names that the domain knows them by; whatever is no such name is dropped. */
export function fromSnakeCase(values: object): Record<string, unknown> {
  const known = Object.entries(values).filter(([name]) => name === toSnakeCase(name));
  return Object.fromEntries(
    known.map(([name, value]) => [toCamelCase(name), isNested(value) ? fromSnakeCase(value) : value]),
  );
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
