import { checkSettings, type Finding, failure } from '../../config/checks.ts';
import type { Config } from '../../config.ts';
import type { Service } from '../../service.ts';
import type { Cli } from '../cli.ts';
import { errorText } from '../errorText.ts';
import { checkTokens } from './chats.ts';
import {
  checkClock,
  checkDatabase,
  checkDatabaseFile,
  checkPackets,
  checkSchema,
  databaseFailure,
} from './database.ts';
import { checkDisk, checkFiles, checkPlaces } from './files.ts';
import { checkJobs, checkPushes } from './jobs.ts';
import { checkKeyFile, checkKeys } from './keys.ts';
import { checkRunning } from './running.ts';

type ExamineOptions = {
  /** Whether to store a test object in the file store and remove it. Without it, nothing is written anywhere. */
  isProbed?: boolean;
};

/** Everything that doctor checks. */
export async function examine(
  config: Config,
  { withService }: Pick<Cli, 'withService'>,
  { isProbed = false }: ExamineOptions = {},
): Promise<Finding[]> {
  const missing = await checkDatabaseFile(config);
  return [
    ...checkSettings(config),
    ...(missing ? [missing] : await checkStored()),
    await checkKeyFile(config),
    await checkDisk(config),
    ...(await checkPlaces(config)),
    ...(await checkTokens(config)),
    ...(await checkRunning(config)),
  ];

  async function checkStored(): Promise<Finding[]> {
    try {
      return await withService((service) => checkService(config, service, isProbed), { readOnly: true });
    } catch (error) {
      return [failure('keysUnusable', 'keys', errorText(error), 'Correct the keys; see docs/keys.md.')];
    }
  }
}

/** Everything that needs the database. Without its tables, only the first checks make sense. */
async function checkService(config: Config, service: Service, isProbed: boolean): Promise<Finding[]> {
  try {
    const schema = await checkSchema(service);
    const found = [
      await checkDatabase(config, service),
      ...(await checkPackets(service)),
      schema,
      await checkClock(service),
    ];
    if (schema.state !== 'ok') return found;
    return [
      ...found,
      ...(await checkKeys(service)),
      await checkPushes(service),
      ...(await checkJobs(config, service)),
      await checkFiles(config, service, isProbed),
    ];
  } catch (error) {
    return [databaseFailure(config, error)];
  }
}
