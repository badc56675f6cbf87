import { type Account, type Domain, DomainError, type IncomingFile, type Problem } from '../domain/index.ts';
import type { BodyOptions } from './body/body.ts';
import type { FilePart } from './body/parts.ts';

/** The options of a body whose files are stored. */
export type UploadOptions = BodyOptions & Required<Pick<BodyOptions, 'onFile'>>;

/**
 * Builds the options of bodies with files in the fields `ROOT[files][]` or `files[]`. An account that may not attach files
 * gets the size and time limits of other bodies.
 */
export function buildUploadOptions({ settings, canAttach }: Domain['files'], roots: readonly string[]) {
  const { totalBytesMax, uploadMs } = settings;
  const fieldOfFiles = new RegExp(`^(?:(?:${roots.join('|')})\\[files\\]|files)(?:\\[\\d*\\])?$`);
  const problem: Problem = { code: 'fileField', field: `${roots[0]}[files][]` };
  return (
    account: Account | null,
    add: (file: IncomingFile, valuesBefore: FilePart['valuesBefore']) => Promise<void>,
  ): UploadOptions => ({
    ...(canAttach(account) ? { filesLimitBytes: totalBytesMax, timeoutMs: uploadMs } : {}),
    onFile: async ({ field, valuesBefore, ...file }) => {
      if (!fieldOfFiles.test(field)) throw new DomainError('invalid', { problems: { files: [problem] } });
      await add(file, valuesBefore);
    },
  });
}
