import { extname } from 'node:path';
import type { Router } from '@koa/router';
import { RequestError } from '../../http/errors.ts';
import { assets, compressedAsset } from '../assets.ts';

/**
 * The files that pages load. They are compressed, as they are the same for everybody; pages are not. One route for all:
 * every request to the API is compared with it.
 */
export function assetRoutes(router: Router): void {
  router.get('/assets/:name', (ctx) => {
    const name = String(ctx.params.name);
    const asset = assets.get(name);
    if (asset === undefined) throw new RequestError(404, 'not-found');
    const isVersioned = ctx.query.v === asset.version;
    ctx.type = extname(name);
    ctx.set('Cache-Control', isVersioned ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    ctx.vary('Accept-Encoding');
    const compressed = ctx.acceptsEncodings('br') ? compressedAsset(name) : undefined;
    if (compressed !== undefined) ctx.set('Content-Encoding', 'br');
    ctx.body = compressed ?? asset.content;
  });
}
