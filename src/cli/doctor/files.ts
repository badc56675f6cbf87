import { type Config, fileStoreSettings } from '../../config.ts';
import type { Service } from '../../service.ts';
import { errorText } from '../errorText.ts';
import { type Finding, report } from './finding.ts';
import { nearestFolder } from './folders.ts';

/** Compares the file store with the database, name by name. `isProbed` also stores a test object, and removes it. */
export async function checkFiles(
  config: Config,
  { domain: { files } }: Service,
  isProbed: boolean,
): Promise<Finding> {
  const { location } = files;
  try {
    const { stored, missing, strays } = await files.inspect();
    if (isProbed) await files.probe();
    if (missing > 0) return report('filesMissing', { count: missing, location });
    if (strays > 0) return report('filesStray', { count: strays, location });
    const store = fileStoreSettings(config);
    if (files.settings.enabledFor !== 'off' && 'folder' in store) {
      const { folder, isWritable } = await nearestFolder(store.folder);
      if (!isWritable) return report('filesNotWritable', { folder });
    }
    return report('filesComplete', { count: stored, location });
  } catch (error) {
    return report('filesFail', { error: errorText(error) });
  }
}
