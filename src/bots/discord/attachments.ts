import type { APIAttachment, APIModalSubmitInteraction } from 'discord.js';
import type { AddFile } from '../../domain/index.ts';
import { type FormSubmission, listIn } from '../form.ts';

type IncomingFile = Parameters<AddFile>[0];

/** The files of a submitted form, in their order. */
export function attachmentsOf(
  { data }: APIModalSubmitInteraction,
  { values }: FormSubmission,
): APIAttachment[] {
  const attachments = data.resolved?.attachments ?? {};
  return (listIn(values, 'files') ?? []).flatMap((id) => attachments[id] ?? []);
}

/** Downloads attachments one after the other, each while it is being stored. Throws where Discord does not give one. */
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
