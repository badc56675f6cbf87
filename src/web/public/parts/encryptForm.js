// Encrypts what was entered into the form of a new push.
import { sealFile, sealSecret } from '../../../client/encryption.js';
import { createKey } from '../../../client/linkKey.js';
import { toStoredBlob } from './toBlob.js';

/**
 * Replaces the secret and the files in what the form sends by what only the key opens, and returns the key.
 * @param {FormData} fields
 */
export async function encryptFields(fields) {
  const key = createKey();
  const files = fields
    .getAll('files')
    .flatMap((file) => (file instanceof File && file.name !== '' ? [file] : []));
  const entered = String(fields.get('payload') ?? '').replaceAll('\r\n', '\n');
  const chosen = fields.get('kind') ?? (files.length === 0 ? 'text' : 'file');
  const kind = /** @type {import('../../../client/encryption.js').Secret['kind']} */ (chosen);
  const secret = {
    kind,
    text: (kind === 'url' && webAddress(entered)) || entered,
    files: files.map(({ name, type }) => ({ name, type })),
  };
  fields.set('encrypted', 'on');
  fields.set('kind', files.length === 0 ? 'text' : 'file');
  fields.set('payload', await sealSecret(key, secret));
  fields.delete('files');
  for (const [index, file] of files.entries()) {
    const number = index + 1;
    const sealed = await toStoredBlob(sealFile(key, number, file.stream()), file.size);
    fields.append('files', sealed, `encrypted-${number}`);
  }
  return key;
}

/**
 * An address as people write it, `example.com/path`, with its scheme; undefined if it is none. The service does the same
 * to an address that it can read.
 * @param {string} text
 */
export function webAddress(text) {
  const entered = text.trim();
  const isBare = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d+)?([/?#]|$)/u.test(entered);
  const address = isBare ? `https://${entered}` : entered;
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(address) && URL.canParse(address) ? address : undefined;
}
