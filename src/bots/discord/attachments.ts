import type { APIAttachment, APIModalSubmitInteraction } from 'discord-api-types/v10';
import type { TakeFile } from '../../domain/index.ts';
import { readFields } from './elements.ts';

type IncomingFile = Parameters<TakeFile>[0];

/** The files that were put into a form's field, in their order. */
export function attachmentsOf({ data }: APIModalSubmitInteraction, field: string): APIAttachment[] {
  const attachments = data.resolved?.attachments ?? {};
  return readFields(data)
    .values(field)
    .flatMap((id) => attachments[id] ?? []);
}

/** Fetches attachments one after the other, each while it is being taken. What cannot be had fails. */
export async function* fetchAttachments(
  attachments: APIAttachment[],
  signal: AbortSignal,
): AsyncGenerator<IncomingFile> {
  for (const { url, filename, content_type } of attachments) {
    const { ok, status, body } = await fetch(url, { signal, redirect: 'error' });
    if (!ok || body === null) throw new Error(`Discord gives no file: ${status}`);
    yield { filename, contentType: content_type ?? '', stream: body };
  }
}
