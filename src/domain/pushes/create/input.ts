import type { z } from 'zod';
import { DomainError, type Problem } from '../../../errors.ts';
import { type FileSettings, type PushSettings, parseInput } from '../../base/index.ts';
import { invalidFiles, requireFileAccess } from '../../files/index.ts';
import { decodePreferences, type NoticePreferences } from '../../outbox/index.ts';
import type { Account } from '../../people/index.ts';
import type { PushSchema } from './schema.ts';

type Context = {
  account: Account | null;
  hasFiles: boolean;
  settings: Pick<PushSettings, 'allowEncrypted'>;
  fileSettings: FileSettings;
};

/** The validated input of a push. Anonymous pushes have no note and no notices. */
export type CreateInput = Omit<z.output<PushSchema>, 'notify'> & { notify: NoticePreferences | null };

/**
 * Validates the input of a push and its files. Throws like `parseInput`, for files without an upload, and `forbidden` for
 * an encrypted push where the operator wants none.
 */
export function parseCreateInput(
  schema: PushSchema,
  input: unknown,
  { account, hasFiles, settings, fileSettings }: Context,
): CreateInput {
  if (namesFiles(input)) refuseFiles({ code: 'notUploaded' });
  const parsed = parseInput(schema, hasFiles ? asFilePush(input) : input);
  if (parsed.encrypted && !settings.allowEncrypted) throw new DomainError('forbidden', 'encryptionDisabled');
  if (parsed.kind === 'file' && !hasFiles) refuseFiles({ code: 'uploadRequired' });
  if (account === null) {
    if (parsed.recipients.length > 0) throw new DomainError('unauthenticated', 'recipientsNeedAccount');
    return Object.assign(parsed, { note: null, notify: null });
  }
  return { ...parsed, notify: { ...decodePreferences(account.notify), ...definedOnly(parsed.notify) } };

  /** Callers who may not attach files get that error first. */
  function refuseFiles(problem: Problem): never {
    requireFileAccess(account, fileSettings);
    throw invalidFiles(problem);
  }
}

/** Whether the input itself names files, which are only valid as parts of a form. */
function namesFiles(input: unknown): boolean {
  const { files } = (input ?? {}) as { files?: unknown };
  return Array.isArray(files) ? files.some((entry) => entry !== '') : files != null && files !== '';
}

/** A push with files and no kind is of kind file. */
function asFilePush(input: unknown): unknown {
  const { kind, ...rest } = (input ?? {}) as { kind?: unknown };
  return { ...rest, kind: kind ?? 'file' };
}

function definedOnly(
  preferences: { [Name in keyof NoticePreferences]?: NoticePreferences[Name] | undefined },
): Partial<NoticePreferences> {
  return Object.fromEntries(Object.entries(preferences).filter(([, value]) => value !== undefined));
}
