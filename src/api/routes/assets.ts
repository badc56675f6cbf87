import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Router } from '@koa/router';

const folder = fileURLToPath(new URL('../public/', import.meta.url));

/** The few files that pages load, kept in memory. */
export function assetRoutes(router: Router): void {
  for (const name of readdirSync(folder)) {
    const content = readFileSync(join(folder, name));
    router.get(`/assets/${name}`, (ctx) => {
      ctx.type = extname(name);
      ctx.set('Cache-Control', 'public, max-age=3600');
      ctx.body = content;
    });
  }
}
