import { type Mattermost, startMattermost } from '../../../tools/standins/mattermost/mattermost.ts';
import { startStaged } from '../staging.ts';

/** The settings of a service for this Mattermost. */
export const environmentOf = ({ url, botToken, commandToken }: Mattermost) => ({
  MATTERMOST_URL: url,
  MATTERMOST_TOKEN: botToken,
  MATTERMOST_COMMAND_TOKENS: commandToken,
});

/** A Mattermost, and a whole service that is its bot. Notices are delivered as soon as they are written. */
export async function startStage({ environment = {} }: { environment?: Record<string, string> } = {}) {
  const mattermost = await startMattermost({ triggerLifeMs: 300_000, patienceMs: 20_000 });
  const stage = await startStaged(
    { ...environmentOf(mattermost), ...environment },
    { stop: mattermost.stop, verify: (found) => mattermost.verify(found) },
  );
  mattermost.deliversTo(stage.url);

  return { ...stage, mattermost, environment: environmentOf(mattermost) };
}
