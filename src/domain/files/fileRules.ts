import { DomainError, type Problem } from '../../errors.ts';
import type { FileSettings } from '../base/index.ts';
import type { Account } from '../people/index.ts';

const nameMax = 255;

/** A file as its creator sends it. `filename` and `contentType` are unverified. `stream` can be read once. */
export type IncomingFile = { filename: string; contentType: string; stream: AsyncIterable<Uint8Array> };

export function canAttachFiles(account: Account | null, { enabledFor }: FileSettings): boolean {
  return enabledFor === 'everyone' || (enabledFor === 'subscribed' && account?.subscribed === true);
}

/** Refuses callers who may not attach files, and says why. */
export function requireFileAccess(account: Account | null, settings: FileSettings): void {
  if (canAttachFiles(account, settings)) return;
  if (settings.enabledFor === 'off') throw new DomainError('forbidden', 'filesDisabled');
  if (account === null) throw new DomainError('unauthenticated', 'filesNeedAccount');
  throw new DomainError('forbidden', 'filesNeedSubscription');
}

/** Refuses an invalid name. A valid name is plain text and has no further meaning. */
export function requireFilename(filename: string): void {
  if (!filename.isWellFormed()) throw invalidFiles({ code: 'filenameWellFormed' });
  if (!/\S/.test(filename)) throw invalidFiles({ code: 'filenameRequired' });
  if ([...filename].length > nameMax) throw invalidFiles({ code: 'filenameMaxLength', max: nameMax });
}

/** The media type that a file was sent with, or the generic binary type. */
export function mediaTypeOf(contentType: string): string {
  const [type = ''] = contentType.toLowerCase().split(';');
  return /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/.test(type.trim())
    ? type.trim()
    : 'application/octet-stream';
}

/** The error for invalid files. */
export function invalidFiles(problem: Problem): DomainError {
  return new DomainError('invalid', { problems: { files: [problem] } });
}

/** Passes bytes on, up to the limits for one file and for all files of a push. */
export function createMeter({ fileBytesMax, totalBytesMax }: FileSettings) {
  let total = 0;
  return async function* meter(stream: AsyncIterable<Uint8Array>, count: (bytes: number) => void) {
    let size = 0;
    for await (const chunk of stream) {
      size += chunk.length;
      total += chunk.length;
      if (size > fileBytesMax) throw tooLarge('fileTooLarge', fileBytesMax);
      if (total > totalBytesMax) throw tooLarge('filesTooLarge', totalBytesMax);
      yield chunk;
    }
    count(size);
  };
}

function tooLarge(message: 'fileTooLarge' | 'filesTooLarge', max: number): DomainError {
  return new DomainError('too_large', message, { values: { max } });
}
