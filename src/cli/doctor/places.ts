import { type Config, geoDatabaseOf } from '../../config.ts';
import { dayMs, isoTime } from '../../time.ts';
import { errorText } from '../errorText.ts';
import { type Finding, report } from './finding.ts';

/** By then, three monthly updates are missing. */
const oldMs = 90 * dayMs;

/** The database of places, if there is one. */
export async function checkPlaces(config: Config): Promise<Finding[]> {
  const path = geoDatabaseOf(config);
  if (path === undefined) return [];
  try {
    const { readGeoDatabase } = await import('../../places/geoDatabase.ts');
    const { type, builtAt } = await readGeoDatabase(path);
    const values = { type, day: isoTime(builtAt.getTime()).slice(0, 10) };
    return [report(Date.now() - builtAt.getTime() > oldMs ? 'placesOld' : 'placesRead', values)];
  } catch (error) {
    return [report('placesUnusable', { error: errorText(error) })];
  }
}
