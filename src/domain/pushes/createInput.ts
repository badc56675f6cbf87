import type { z } from 'zod';
import type { Problem } from '../../errors.ts';
import type { Account } from '../accounts/accounts.ts';
import { invalidFiles, requireFileAccess } from '../files/fileRules.ts';
import { decodePreferences, type NoticePreferences } from '../notices/preferences.ts';
import type { FileSettings } from '../settings.ts';
import { parseInput } from '../validation.ts';
import type { PushSchema } from './pushSchema.ts';

type Context = { account: Account | null; hasFiles: boolean; fileSettings: FileSettings };

/** What a push is created from; nobody keeps a note or hears of an anonymous push. */
export type CreateInput = Omit<z.output<PushSchema>, 'notify'> & { notify: NoticePreferences | null };

/** Checks the input of a push, with the files that came along. Refuses like `parseInput`, and files without an upload. */
export function parseCreateInput(
  schema: PushSchema,
  input: unknown,
  { account, hasFiles, fileSettings }: Context,
): CreateInput {
  if (namesFiles(input)) refuseFiles({ code: 'notUploaded' });
  const { notify, note, ...parsed } = parseInput(schema, hasFiles ? asFilePush(input) : input);
  if (parsed.kind === 'file' && !hasFiles) refuseFiles({ code: 'uploadRequired' });
  if (account === null) return { ...parsed, note: null, notify: null };
  return { ...parsed, note, notify: { ...decodePreferences(account.notify), ...definedOnly(notify) } };

  /** Callers who may not attach files learn that first. */
  function refuseFiles(problem: Problem): never {
    requireFileAccess(account, fileSettings);
    throw invalidFiles(problem);
  }
}

/** Whether the input itself names files, which can only be parts of a form. */
function namesFiles(input: unknown): boolean {
  const { files } = (input ?? {}) as { files?: unknown };
  return Array.isArray(files) ? files.some((entry) => entry !== '') : files != null && files !== '';
}

/** With files and no kind, a push is of kind file. */
function asFilePush(input: unknown): unknown {
  const { kind, ...rest } = (input ?? {}) as { kind?: unknown };
  return { ...rest, kind: kind ?? 'file' };
}

function definedOnly(
  preferences: { [Name in keyof NoticePreferences]?: NoticePreferences[Name] | undefined },
): Partial<NoticePreferences> {
  return Object.fromEntries(Object.entries(preferences).filter(([, value]) => value !== undefined));
}
