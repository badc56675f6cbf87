// Makes what a release consists of, in release/: the package, its components (CycloneDX), and SHA256SUMS. Two runs on the same
// commit give the same bytes. A version between releases has none.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const folder = 'release';
const npm = (...words) => execFileSync('npm', words, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

const isDevelopment = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

/**
 * What the package needs when it is installed, without what differs at each run. npm's own `--omit=dev` leaves out all that a
 * development dependency needs as well, such as koa.
 */
function components() {
  const { serialNumber: _, ...sbom } = JSON.parse(
    npm('sbom', '--sbom-format=cyclonedx', '--package-lock-only'),
  );
  const { timestamp: __, component, ...metadata } = sbom.metadata;
  const needed = sbom.components.filter((each) => !isDevelopment(each));
  const refs = new Set([component, ...needed].map((each) => each['bom-ref']));
  return {
    ...sbom,
    metadata: { ...metadata, component: { ...component, name: 'hushpush' } }, // npm names the folder
    components: needed,
    dependencies: sbom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
  };
}

if (!version.endsWith('dev')) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  npm('run', 'build', '--silent');
  npm('pack', '--silent', '--pack-destination', folder);
  const sbom = `hushpush-${version}.cdx.json`;
  writeFileSync(join(folder, sbom), `${JSON.stringify(components(), null, 2)}\n`);
  const sums = [`hushpush-${version}.tgz`, sbom].map((name) => {
    const sha256 = createHash('sha256').update(readFileSync(join(folder, name)));
    return `${sha256.digest('hex')}  ${name}\n`;
  });
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  console.log(sums.join(''));
}
