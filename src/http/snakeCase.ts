/** The name of a field in the JSON API: `expireAfterDays` is `expire_after_days`. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
