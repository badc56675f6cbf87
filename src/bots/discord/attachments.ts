import type { APIAttachment, APIModalSubmitInteraction } from 'discord.js';
import type { IncomingFile } from '../../domain/index.ts';
import type { MessageFile } from '../commands/drafts.ts';
import { type FormValues, listIn, type Option } from '../form.ts';

/** An option takes no more (docs.discord.com, “Components reference”). */
const labelMax = 100;

/** An attachment as a file that can be fetched: Discord signs its address for a day. */
export const toMessageFile = ({ id, filename, content_type, url }: APIAttachment): MessageFile => ({
  id,
  filename,
  contentType: content_type ?? '',
  url,
});

/** The files of a message, for a menu. */
export const fileOptions = (files: MessageFile[]): Option[] =>
  files.map(({ id, filename }) => ({ label: filename.slice(0, labelMax), value: id }));

/** The files that were attached to a submitted form, in their order. */
export function attachmentsOf({ data }: APIModalSubmitInteraction, values: FormValues): MessageFile[] {
  const attachments = data.resolved?.attachments ?? {};
  return (listIn(values, 'files') ?? []).flatMap((id) => attachments[id] ?? []).map(toMessageFile);
}

/** Downloads files one after the other, each while it is being stored. Throws where Discord does not give one. */
export async function* fetchFiles(files: MessageFile[], signal: AbortSignal): AsyncGenerator<IncomingFile> {
  for (const { url, filename, contentType } of files) {
    const { ok, status, body } = await fetch(url, { signal, redirect: 'error' });
    if (!ok || body === null) throw new Error(`Discord returned no file: ${status}`);
    yield { filename, contentType, stream: body };
  }
}
