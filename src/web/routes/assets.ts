import { extname } from 'node:path';
import type { Router } from '@koa/router';
import { assets, compressedAsset } from '../assets.ts';

/** The files that pages load. They are compressed, as they are the same for everybody; pages are not. */
export function assetRoutes(router: Router): void {
  for (const [name, { content, version }] of assets) {
    router.get(`/assets/${name}`, (ctx) => {
      const isVersioned = ctx.query.v === version;
      ctx.type = extname(name);
      ctx.set('Cache-Control', isVersioned ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
      ctx.vary('Accept-Encoding');
      const compressed = ctx.acceptsEncodings('br') ? compressedAsset(name) : undefined;
      if (compressed !== undefined) ctx.set('Content-Encoding', 'br');
      ctx.body = compressed ?? content;
    });
  }
}
