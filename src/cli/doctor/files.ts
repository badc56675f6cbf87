import type { Service } from '../../service.ts';
import { errorText } from '../output.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

/** Writes to the file store and reads it back, and compares its files with the database, name by name. */
export async function checkFiles({ domain: { files } }: Service): Promise<Finding> {
  const check = 'files';
  const { location } = files;
  try {
    if (files.settings.enabledFor !== 'off') await files.probe();
    const { stored, missing, strays } = await files.inspect();
    if (missing > 0)
      return failure(
        check,
        `${missing} files are missing from ${location}`,
        'Check FILES_DIR and FILES_URL, which all processes must share, or restore the files from a backup.',
      );
    if (strays > 0)
      return warning(
        check,
        `${strays} files in ${location} belong to no push`,
        'Do nothing: the job reconcile-files removes them when they are a day old.',
      );
    return ok(check, `${stored} files in ${location}`);
  } catch (error) {
    const advice = 'Check FILES_DIR or FILES_URL, and that this user may write there.';
    return failure(check, errorText(error), advice);
  }
}
