/** A file name without path separators, control characters and characters that change the text direction. */
export function safeFilename(filename: string): string {
  const name = filename.replace(/[\p{Cc}/\\\u202a-\u202e\u2066-\u2069]/gu, '_');
  return /^\.+$/.test(name) ? '_' : name;
}
