import { extname } from 'node:path';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Links } from '../http/links.ts';
import { downloadPolicy } from '../http/securityHeaders.ts';
import { sendStream } from '../http/stream.ts';
import type { DownloadedFile, PageResult } from './pageRequest.ts';

/** Responds with what the handler of a page returned. */
export async function sendResult(
  ctx: Context,
  result: PageResult,
  links: Pick<Links, 'location'>,
): Promise<void> {
  if (typeof result === 'string' || Buffer.isBuffer(result)) {
    ctx.body = typeof result === 'string' ? Buffer.from(result) : result; // of a string, Koa would count the bytes before
    return;
  }
  if ('file' in result) return sendFile(ctx, result.file);
  ctx.status = 303;
  ctx.set('Location', 'away' in result ? result.away : links.location(result.to));
  ctx.body = '';
}

/** Responds with a file for the browser to save. */
async function sendFile(ctx: Context, { name, content }: DownloadedFile): Promise<void> {
  ctx.status = 200;
  ctx.type = extname(name);
  ctx.attachment(name);
  ctx.set('Content-Security-Policy', downloadPolicy);
  await sendStream(ctx, Readable.from(content));
}
