import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { safeFilename } from '../../client/safeFilename.js';
import type { Download } from '../../domain/index.ts';
import { RequestError } from '../../http/errors.ts';
import { downloadPolicy } from '../../http/securityHeaders.ts';
import { sendStream } from '../../http/stream.ts';
import type { ApiDependencies } from '../dependencies.ts';

/** Downloads files with the grant of a view, whole or in ranges. */
export function downloadRoutes(router: Router, { domain: { files }, auth }: ApiDependencies): void {
  router.get('/download/:grant/:number', downloadPath, async (ctx) => {
    const { client } = await auth.maybeAccount(ctx);
    const [grant = '', number] = ctx.captures ?? [];
    const download = await files.download(grant, Number(number), client);
    const { start, end } = applyRange(ctx, download);
    if (ctx.method === 'HEAD') return setDownloadHeaders(ctx, download, end - start);
    const content = await download.read({ start, end });
    setDownloadHeaders(ctx, download, end - start);
    await sendStream(ctx, content);
  });
}

const downloadPath = /^\/download\/([\w-]{43})\/([1-9]\d?)$/;

/** Sets the status and returns the requested bytes. A range applies to GET only, and only if the file is that of If-Range. */
function applyRange(ctx: Context, { id, size }: Download): { start: number; end: number } {
  const hasRange = ctx.method === 'GET' && ['', etagOf(id)].includes(ctx.get('If-Range'));
  const range = parseRange(hasRange ? ctx.get('Range') : '', size);
  if (range.kind === 'none') {
    ctx.set('Content-Range', `bytes */${size}`);
    throw new RequestError(416, 'The file does not have this range.');
  }
  ctx.status = range.kind === 'all' ? 200 : 206;
  if (range.kind === 'part') ctx.set('Content-Range', `bytes ${range.start}-${range.end - 1}/${size}`);
  return range;
}

function setDownloadHeaders(ctx: Context, { id, filename }: Download, length: number): void {
  ctx.type = 'application/octet-stream';
  ctx.length = length;
  const name = safeFilename(filename);
  ctx.attachment(name, { fallback: name.replace(/[^\x20-\x7e]/g, '?') });
  ctx.set('Content-Security-Policy', downloadPolicy);
  ctx.set('Accept-Ranges', 'bytes');
  ctx.set('ETag', etagOf(id));
}

/** Lets a client resume a download of the same file. Nothing is cached. */
function etagOf(id: string): string {
  return `"${id}"`;
}

/** The requested part of a file; `none` is a part that it does not have. Ends are exclusive. */
type RequestedRange = { kind: 'all' | 'part'; start: number; end: number } | { kind: 'none' };

/**
 * Parses a Range header (RFC 9110, section 14). Several ranges, and everything that is no range of bytes, mean the whole
 * file: a server may ignore the header.
 */
function parseRange(header: string, size: number): RequestedRange {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header) ?? [];
  if (first === '' && last === '') return { kind: 'all', start: 0, end: size };
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < start) return { kind: 'all', start: 0, end: size };
  return start < end ? { kind: 'part', start, end } : { kind: 'none' };
}
