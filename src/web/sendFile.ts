import { extname } from 'node:path';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { downloadPolicy } from '../http/securityHeaders.ts';
import { sendStream } from '../http/stream.ts';
import type { DownloadedFile } from './pageRequest.ts';

/** Responds with a file for the browser to save. */
export async function sendFile(ctx: Context, { name, content }: DownloadedFile): Promise<void> {
  ctx.status = 200;
  ctx.type = extname(name);
  ctx.attachment(name);
  ctx.set('Content-Security-Policy', downloadPolicy);
  await sendStream(ctx, Readable.from(content));
}
