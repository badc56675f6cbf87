/** The name of a field in the JSON API: `expireAfterDays` is `expire_after_days`. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Renames the fields of a request, nested ones included, to camel case. Drops names that are not in snake case. */
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
