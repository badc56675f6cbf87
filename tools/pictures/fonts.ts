import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../test/harness/debian.ts';

/** Debian's packages with the fonts of a current desktop (Inter, P052, DejaVu Sans Mono), of Slack, and like Discord's. */
const packages = ['fonts-inter', 'fonts-urw-base35', 'fonts-dejavu-core', 'fonts-lato', 'fonts-open-sans'];

/**
 * The environment of a browser that draws the pictures: with the same fonts wherever it runs. They are fetched once, into the
 * folder for temporary files, and not installed. Where there is no Debian, the fonts of the machine are used.
 */
export function pictureFonts(): Record<string, string> {
  if (findProgram('apt-get') === undefined || findProgram('dpkg-deb') === undefined) return {};
  const folder = join(tmpdir(), 'hushpush-picture-fonts');
  const settings = join(folder, 'fonts.conf');
  if (!existsSync(settings)) {
    mkdirSync(folder, { recursive: true });
    execFileSync('apt-get', ['-qq', 'download', ...packages], { cwd: folder, stdio: 'inherit' });
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.deb')))
      execFileSync('dpkg-deb', ['--extract', name, '.'], { cwd: folder });
    writeFileSync(settings, settingsOf(folder));
  }
  return { FONTCONFIG_FILE: settings };
}

/** Fonts for the names that are nobody's own. */
const families = {
  'system-ui': 'Inter',
  'sans-serif': 'Inter',
  sans: 'Inter',
  serif: 'P052',
  monospace: 'DejaVu Sans Mono',
};

const settingsOf = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/usr/share/fonts</dir>
  <cachedir>${folder}/cache</cachedir>
${Object.entries(families)
  .map(
    ([name, font]) =>
      `  <alias binding="strong"><family>${name}</family><prefer><family>${font}</family></prefer></alias>`,
  )
  .join('\n')}
</fontconfig>
`;
