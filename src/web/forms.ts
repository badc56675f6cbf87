import type { IncomingMessage } from 'node:http';
import { DomainError } from '../domain/index.ts';
import { filesBytesByDefault, readBody } from '../http/body/body.ts';
import { FormError } from '../http/errors.ts';
import type { UploadOptions } from '../http/uploads.ts';

/** The fields of a form that are text. */
export type Fields = Record<string, string>;

export type SubmittedForm = { fields: Fields; hasFiles: boolean };

/** No form but that of a push holds more than a few lines. */
const formBytesMax = 64 * 1024;

/** How many times the bytes that files may have are read, before a form is cut off with all of its fields. */
const readTimesMax = 4;

/** Reads a form without files. */
export async function readPageForm(req: IncomingMessage): Promise<Fields> {
  return textsOf((await readBody(req, { limitBytes: formBytesMax, filesLimitBytes: 0 })).values);
}

/**
 * Reads a form with its files. `checkToken` is called with the fields before each file, then `onFields` with all of them.
 * A file that breaks a rule, and a token that is out of date, are refused only when everything was read, so that no field
 * is lost. Files that are several times too large are cut off all the same.
 */
export async function readUploadForm(
  req: IncomingMessage,
  options: UploadOptions,
  { checkToken, onFields }: { checkToken(fields: Fields): void; onFields(fields: Fields): void },
): Promise<SubmittedForm> {
  let refusal: DomainError | FormError | undefined;
  const { values, files } = await readBody(req, {
    ...options,
    filesLimitBytes: readTimesMax * (options.filesLimitBytes ?? filesBytesByDefault),
    async onFile(file) {
      if (refusal !== undefined) return;
      try {
        checkToken(textsOf(await file.valuesBefore()));
        await options.onFile(file);
      } catch (error) {
        if (!isUserError(error) && !isOutdated(error)) throw error;
        refusal = error;
      }
    },
  });
  const fields = textsOf(values);
  onFields(fields);
  checkToken(fields);
  if (refusal !== undefined) throw refusal;
  return { fields, hasFiles: files.length > 0 };
}

/** Whether other input would be accepted. */
export function isUserError(error: unknown): error is DomainError {
  return error instanceof DomainError && (error.code === 'invalid' || error.code === 'too_large');
}

/** Whether the same form would be accepted with a new token. */
export function isOutdated(error: unknown): error is FormError & { reason: 'stale' | 'ended' } {
  return error instanceof FormError && error.reason !== 'otherSite';
}

/** As `isUserError`, for input that may also collide with what is there already. */
export function isInputError(error: unknown): error is DomainError {
  return error instanceof DomainError && (error.code === 'invalid' || error.code === 'conflict');
}

/** The values that are text. */
export function textsOf(values: Record<string, unknown>): Fields {
  const texts: Fields = {};
  for (const name in values) {
    const value = values[name];
    if (typeof value === 'string') texts[name] = value;
  }
  return texts;
}
