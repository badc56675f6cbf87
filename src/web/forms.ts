import type { IncomingMessage } from 'node:http';
import { DomainError } from '../domain/index.ts';
import { readBody } from '../http/body/body.ts';
import type { UploadOptions } from '../http/uploads.ts';

/** The fields of a form that are text. */
export type Fields = Record<string, string>;

export type SubmittedForm = { fields: Fields; hasFiles: boolean };

/** No form but that of a push holds more than a few lines. */
const formBytesMax = 64 * 1024;

/** Reads a form without files. */
export async function readPageForm(req: IncomingMessage): Promise<Fields> {
  return textsOf((await readBody(req, { limitBytes: formBytesMax, filesLimitBytes: 0 })).values);
}

/**
 * Reads a form with its files. `checkToken` is called with the fields before each file, then `onFields` with all of them.
 * A file that breaks a rule is refused only when everything was read, so that the other fields are not lost.
 */
export async function readUploadForm(
  req: IncomingMessage,
  options: UploadOptions,
  { checkToken, onFields }: { checkToken(fields: Fields): void; onFields(fields: Fields): void },
): Promise<SubmittedForm> {
  let refusal: DomainError | undefined;
  const { values, files } = await readBody(req, {
    ...options,
    filesLimitBytes: Number.POSITIVE_INFINITY,
    async onFile(file) {
      if (refusal !== undefined) return;
      checkToken(textsOf(await file.valuesBefore()));
      try {
        await options.onFile(file);
      } catch (error) {
        if (!isUserError(error)) throw error;
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

/** As `isUserError`, for input that may also collide with what is there already. */
export function isInputError(error: unknown): error is DomainError {
  return error instanceof DomainError && (error.code === 'invalid' || error.code === 'conflict');
}

function textsOf(values: Record<string, unknown>): Fields {
  const texts = Object.entries(values).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}
