import { ConfigError } from '../../errors.ts';
import { RequestError } from '../../http/errors.ts';
import { imagePolicy } from '../../http/securityHeaders.ts';
import { imagesOf, type Look, type Scheme } from '../../look/look.ts';
import type { WebDependencies } from '../dependencies.ts';
import { lookPage, lookProblemPage, pairs } from '../pages/admin/lookPage.tsx';

const previewPath = '/admin/look';

/** What admins see of the look in the folder before a restart gives it to every page. Without a folder, there is none. */
export function lookRoutes({ pages, lookFolder: folder }: WebDependencies): void {
  if (folder === undefined) return;

  const read = () => lookIn(folder);

  pages.admin(previewPath, async ({ page }) => {
    const look = await read();
    if (typeof look === 'string') return lookProblemPage(page, look);
    const isInUse = look.version === page.look.version;
    const contrasts = { light: await contrastsOf(look, 'light'), dark: await contrastsOf(look, 'dark') };
    return lookPage({ ...page, look }, { isInUse, contrasts });
  });

  pages.admin(`${previewPath}/:name`, async ({ ctx }) => {
    const look = await read();
    const images = typeof look === 'string' ? [] : imagesOf(look);
    const image = images.find(({ name }) => name === ctx.params.name);
    if (image === undefined) throw new RequestError(404, 'not-found');
    ctx.type = image.type;
    ctx.set('Content-Security-Policy', imagePolicy);
    return image.content;
  });
}

/** The folder as it is now, or why it cannot be used. What reads it is loaded when an admin looks. */
async function lookIn(folder: string): Promise<Look | string> {
  const { readLook } = await import('../../look/readLook.ts');
  return readLook(folder, previewPath).catch((error) => {
    if (error instanceof ConfigError) return error.message;
    throw error;
  });
}

/** Rounded down, so that none looks better than it is. */
async function contrastsOf({ palettes }: Look, scheme: Scheme): Promise<number[]> {
  const { contrastOf } = await import('../../look/colours.ts');
  const palette = palettes[scheme];
  return pairs.map(([one, other]) => Math.floor(10 * contrastOf(palette[one], palette[other])) / 10);
}
