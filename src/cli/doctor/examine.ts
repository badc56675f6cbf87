import type { RehearsedStep } from '../../bots/chatModule.ts';
import type { TokenCheck } from '../../bots/failure.ts';
import { checkSettings, type Finding, failure, ok, warning } from '../../config/checks.ts';
import { activeChats, type Config } from '../../config.ts';
import { platforms } from '../../platforms.ts';
import type { Service } from '../../service.ts';
import type { Cli } from '../cli.ts';
import { errorText } from '../errorText.ts';
import {
  checkClock,
  checkDatabase,
  checkDatabaseFile,
  checkPackets,
  checkSchema,
  databaseFailure,
} from './database.ts';
import { checkDisk, checkFiles, checkLook, checkPlaces } from './files.ts';
import { checkJobs, checkPushes } from './jobs.ts';
import { checkKeyFile, checkKeys } from './keys.ts';
import { checkMail, checkRefusedMails } from './mail.ts';
import { checkPasskeys } from './passkeys.ts';
import { checkRunning } from './running.ts';

type ExamineOptions = {
  /** Whether to store a test object in the file store and remove it. Without it, nothing is written anywhere. */
  isProbed?: boolean;
  /** Whom the bot of Mattermost writes to, to see whether the server does what is needed of it. */
  mattermostUser?: string | undefined;
};

/** Everything that doctor checks. */
export async function examine(
  config: Config,
  { withService }: Pick<Cli, 'withService'>,
  { isProbed = false, mattermostUser }: ExamineOptions = {},
): Promise<Finding[]> {
  const missing = await checkDatabaseFile(config);
  return [
    ...checkSettings(config),
    ...(missing ? [missing] : await checkStored()),
    await checkKeyFile(config),
    await checkDisk(config),
    ...(await checkPlaces(config)),
    ...(await checkLook(config)),
    ...(await checkTokens(config)),
    ...(await checkMail(config)),
    ...(await checkRunning(config)),
    ...(mattermostUser === undefined ? [] : await rehearse(mattermostUser)),
  ];

  async function rehearse(user: string): Promise<Finding[]> {
    return withService(
      async (service) => {
        const { mattermost } = (await service.openAdapters()).bots.adapters;
        const steps = await mattermost?.rehearse?.(user);
        return steps?.map(rehearsalFinding) ?? [mattermostOff];
      },
      { readOnly: true },
    );
  }

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
      ...(await checkPasskeys(config, service)),
      await checkPushes(service),
      ...(await checkJobs(config, service)),
      ...(await checkRefusedMails(config, service)),
      await checkFiles(config, service, isProbed),
    ];
  } catch (error) {
    return [databaseFailure(config, error)];
  }
}

const mattermostOff = failure(
  'mattermostOff',
  'Mattermost',
  'is off',
  'Set MATTERMOST_URL, MATTERMOST_TOKEN and MATTERMOST_COMMAND_TOKENS.',
);

function rehearsalFinding({ step, differs }: RehearsedStep): Finding {
  const check = `Mattermost, ${step}`;
  return differs === undefined
    ? ok('mattermostAsDocumented', check, 'works as Mattermost documents it')
    : failure('mattermostDiffers', check, differs, 'See docs/mattermost.md, and tell us of the difference.');
}

/** Whether the chats accept the tokens. Their libraries are only loaded for chats that are on. */
async function checkTokens(config: Config): Promise<Finding[]> {
  const found = await Promise.all(
    activeChats(config).map(async ({ platform, check }) =>
      (await check()).map((each) => findingOf(platforms[platform].name, each)),
    ),
  );
  return found.flat();
}

function findingOf(chat: string, { setting, result, reason = '' }: TokenCheck): Finding {
  if (result === 'accepted') return ok('tokenAccepted', setting, `${chat} accepts it`);
  if (result === 'refused')
    return failure(
      'tokenRefused',
      setting,
      `${chat} ${reason}`,
      `Copy it again from the settings of the app at ${chat}.`,
    );
  return warning(
    'tokenUnchecked',
    setting,
    `cannot be checked: ${chat} ${reason}`,
    'Check that this machine may connect to the internet.',
  );
}
