// Bundles what browsers load. The build writes it into dist/; a program that runs from its sources calls this itself.
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildSync } from 'esbuild';

/**
 * The finished files of a folder such as src/web/public, by name: each script and style sheet with what it imports,
 * minified, and the images. Its folder `inline` has what pages contain; `parts`, what the others import.
 * @param {string} folder
 * @returns {Map<string, Buffer>}
 */
export function bundle(folder) {
  const { outputFiles } = buildSync({
    absWorkingDir: folder,
    entryPoints: ['.', 'inline'].flatMap((place) => filesIn(folder, place)),
    outbase: '.',
    outdir: 'finished',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    loader: { '.svg': 'copy', '.png': 'copy' },
  });
  return new Map(
    outputFiles.flatMap(({ path, contents }) =>
      inThemes(relative(join(folder, 'finished'), path), Buffer.from(contents)),
    ),
  );
}

function filesIn(folder, place) {
  return readdirSync(join(folder, place), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `./${place}/${name}`);
}

/** A style sheet follows the theme of the device. For those who chose another, `prefers-color-scheme` is decided. */
function inThemes(name, contents) {
  if (!name.endsWith('.css')) return [[name, contents]];
  const styles = contents.toString();
  const inTheme = (theme, condition) =>
    styles
      .replaceAll('(prefers-color-scheme:dark)', condition)
      .replaceAll('color-scheme:light dark', `color-scheme:${theme}`);
  return [
    [name, contents],
    [name.replace('.css', '-light.css'), Buffer.from(inTheme('light', ' not all'))],
    [name.replace('.css', '-dark.css'), Buffer.from(inTheme('dark', ' all'))],
  ];
}
