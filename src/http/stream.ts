import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from 'koa';

/** Sends content as the body of a response whose headers are set. An error of the content fails the request. */
export async function sendStream(ctx: Context, content: Readable): Promise<void> {
  ctx.respond = false; // the stream writes the response
  await pipeline(content, ctx.res).catch(ignoreDisconnect);
}

/** A client that disconnects is not a failure. */
function ignoreDisconnect(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}
