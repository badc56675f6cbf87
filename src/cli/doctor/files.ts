import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Finding, failure, ok, warning } from '../../config/checks.ts';
import { type Config, databaseFileOf, fileStoreSettings, geoDatabaseOf, lookFolderOf } from '../../config.ts';
import type { Service } from '../../service.ts';
import { dayMs, isoTime } from '../../time.ts';
import { errorText } from '../errorText.ts';

const mib = 1024 ** 2;
const lowBytes = 512 * mib;
/** The log of the embedded database and one upload take this much. */
const fullBytes = 64 * mib;
/** By then, three monthly updates are missing. */
const oldMs = 90 * dayMs;

/** Compares the file store with the database, name by name. `isProbed` also stores a test object, and removes it. */
export async function checkFiles(
  config: Config,
  { domain: { files } }: Service,
  isProbed: boolean,
): Promise<Finding> {
  const { location } = files;
  const store = fileStoreSettings(config);
  try {
    const { stored, missing, strays } = await files.inspect();
    if (isProbed) await files.probe();
    if (missing > 0)
      return failure(
        'filesMissing',
        'files',
        `${missing} files are missing from ${location}`,
        'Check FILES_DIR and FILES_URL, which all processes must share, or restore the files from a backup.',
      );
    if (strays > 0)
      return warning(
        'filesStray',
        'files',
        `${strays} files in ${location} belong to no push`,
        'Do nothing: the job reconcile-files removes them when they are a day old.',
      );
    if (files.settings.enabledFor !== 'off' && 'folder' in store) {
      const { folder, isWritable } = await nearestFolder(store.folder);
      const advice = 'Allow this user to write there, or set FILES_DIR.';
      if (!isWritable) return failure('filesNotWritable', 'files', `${folder} is not writable`, advice);
    }
    return ok('filesComplete', 'files', `${stored} files in ${location}`);
  } catch (error) {
    return 'folder' in store
      ? failure(
          'filesFail',
          'files',
          errorText(error),
          'Check FILES_DIR or FILES_URL, and that this user may write there.',
        )
      : failure(
          'bucketFails',
          'files',
          errorText(error),
          'Check FILES_URL, AWS_REGION and the credentials, and AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL if the store is not Amazon S3: that it runs there, and can be reached from here.',
        );
  }
}

/** The disks of the embedded database, or of the working folder, and of the files: the fuller of the two. */
export async function checkDisk(config: Config): Promise<Finding> {
  const file = databaseFileOf(config);
  const store = fileStoreSettings(config);
  const disks = [await freeAt(file === undefined ? process.cwd() : dirname(file))];
  if (config.FILES !== 'off' && 'folder' in store) disks.push(await freeAt(store.folder));
  const [{ bytes, folder } = { bytes: 0, folder: '' }] = disks.sort((a, b) => a.bytes - b.bytes);
  const free = `${Math.round(bytes / mib)} MiB free at ${folder}`;
  const advice = 'Free some space: on a full disk nothing can be pushed or revealed.';
  if (bytes < fullBytes) return failure('diskFull', 'disk', `only ${free}`, advice);
  return bytes > lowBytes ? ok('diskRoomy', 'disk', free) : warning('diskLow', 'disk', free, advice);
}

async function freeAt(path: string): Promise<{ bytes: number; folder: string }> {
  const { folder } = await nearestFolder(path);
  const { bavail, bsize } = await statfs(folder);
  return { bytes: bavail * bsize, folder };
}

/** The folder, or the nearest one above it that exists, and whether this user may create something in it. */
export async function nearestFolder(folder: string): Promise<{ folder: string; isWritable: boolean }> {
  const stats = await stat(folder).catch(() => undefined);
  if (stats === undefined && folder !== dirname(folder)) return nearestFolder(dirname(folder));
  const isWritable =
    stats?.isDirectory() === true &&
    (await access(folder, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    ));
  return { folder, isWritable };
}

/** The database of places, if there is one. */
export async function checkPlaces(config: Config): Promise<Finding[]> {
  const path = geoDatabaseOf(config);
  if (path === undefined) return [];
  try {
    const { readGeoDatabase } = await import('../../places/geoDatabase.ts');
    const { type, builtAt } = await readGeoDatabase(path);
    const day = isoTime(builtAt.getTime()).slice(0, 10);
    if (Date.now() - builtAt.getTime() <= oldMs)
      return [ok('placesRead', 'GEOIP_DATABASE', `${type} of ${day}`)];
    return [
      warning(
        'placesOld',
        'GEOIP_DATABASE',
        `${type} is of ${day}, and addresses move`,
        'Replace the file by a newer one, such as with geoipupdate every month.',
      ),
    ];
  } catch (error) {
    const advice = 'Set it to a City or Country database, or unset it to show no places.';
    return [failure('placesUnusable', 'GEOIP_DATABASE', errorText(error), advice)];
  }
}

/** The operator's own look, if there is one. */
export async function checkLook(config: Config): Promise<Finding[]> {
  const folder = lookFolderOf(config);
  if (folder === undefined) return [];
  try {
    const { name } = await (await import('../../look/readLook.ts')).readLook(folder);
    return [ok('lookRead', 'LOOK_DIR', `${folder} has a look, called ${name}`)];
  } catch (error) {
    const advice = 'Correct the folder, as docs/look.md describes it, or unset it for the look of hushpush.';
    return [failure('lookUnusable', 'LOOK_DIR', errorText(error), advice)];
  }
}
