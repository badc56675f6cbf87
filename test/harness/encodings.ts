/** The encodings in which a secret may leak, as bytes to search for. */
export function encodingsOf(secret: Buffer): Map<string, Buffer> {
  const text = secret.toString('latin1');
  const forms = new Map<string, Buffer>([
    ['raw', secret],
    ['hex', Buffer.from(secret.toString('hex'))],
    ['HEX', Buffer.from(secret.toString('hex').toUpperCase())],
    ['URL-encoded', Buffer.from(percentEncoded(secret))],
    ['url-encoded', Buffer.from(percentEncoded(secret).toLowerCase())],
    ['JSON escapes', Buffer.from([...secret].map((byte) => `\\u${hex(byte, 4)}`).join(''))],
    ['UTF-16LE', Buffer.from(text, 'utf16le').subarray(0, -1)],
    ['UTF-16BE', Buffer.from(text, 'utf16le').swap16().subarray(1)],
  ]);
  for (const skipped of [0, 1, 2]) {
    // Without the characters that also encode bits of the bytes before and after the secret.
    const whole = Buffer.concat([Buffer.alloc(skipped), secret]).toString('base64');
    const own = whole.slice(skipped === 0 ? 0 : 4, Math.floor(((secret.length + skipped) * 8) / 6 / 4) * 4);
    forms.set(`base64, ${skipped} bytes in`, Buffer.from(own));
    forms.set(`base64url, ${skipped} bytes in`, Buffer.from(own.replaceAll('+', '-').replaceAll('/', '_')));
  }
  return forms;
}

/** Every byte as `%41`. */
export function percentEncoded(bytes: Buffer): string {
  return [...bytes].map((byte) => `%${hex(byte, 2).toUpperCase()}`).join('');
}

function hex(byte: number, length: number): string {
  return byte.toString(16).padStart(length, '0');
}
