import { environmentOf } from '../../../test/bots/discord/stage.ts';
import { newSharedSettings, startProcess } from '../../../test/harness/process.ts';
import { untilLater } from '../../../test/harness/until.ts';
import { startDiscord } from '../../standins/discord/discord.ts';
import type { Experiment, Outcome, ProveOptions } from '../experiment.ts';
import { openTestedDatabase } from '../history/databases.ts';

const rounds = 10;
const withinSeconds = 8;

/** Kills the process that holds the connection to Discord's gateway, again and again, while another one waits. */
export const takeover: Experiment = {
  claim: `commands of Discord are answered again within ${withinSeconds} s of the death of the process that did`,
  run,
};

async function run({ database }: ProveOptions): Promise<Outcome> {
  const tested = await openTestedDatabase(database);
  const discord = await startDiscord();
  const settings = { ...newSharedSettings(tested.urls[0] ?? ''), ...environmentOf(discord, 'gateway') };
  const start = () => startProcess(settings);
  let holder = await start();
  await discord.gateway.connected();
  let standby = await start();
  const seconds: number[] = [];
  const failures: string[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      await holder.kill9();
      const killedAt = performance.now();
      await untilLater(() => discord.gateway.live() === 0);
      await discord.gateway.connected();
      const { error } = await discord.user('alice').runs('/pushes help');
      if (error !== undefined) failures.push(`a command after the takeover: ${error}`);
      seconds.push((performance.now() - killedAt) / 1_000);
      holder = standby;
      standby = await start();
    }
  } finally {
    await Promise.all([holder.kill9(), standby.kill9()]);
    await discord.stop();
    await tested.close();
  }
  const late = seconds.filter((each) => each > withinSeconds);
  return {
    figures: { 'seconds until the next answer': seconds.map((each) => each.toFixed(1)).join(', ') },
    failures: [...failures, ...late.map((each) => `a takeover took ${each.toFixed(1)} s`)],
  };
}
