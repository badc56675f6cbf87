import { startDiscord } from '../../../tools/standins/discord/discord.ts';
import { startStaged } from '../staging.ts';

export type Mode = 'gateway' | 'http';

export type Stage = Awaited<ReturnType<typeof startStage>>;

/** The settings of a service for this Discord. */
export const environmentOf = (discord: Awaited<ReturnType<typeof startDiscord>>, mode: Mode) => ({
  DISCORD_MODE: mode,
  DISCORD_TOKEN: discord.token,
  DISCORD_APPLICATION_ID: discord.applicationId,
  ...(mode === 'http' && { DISCORD_PUBLIC_KEY: discord.publicKey }),
  DISCORD_API_URL: discord.apiUrl,
});

/**
 * A Discord, and a whole service that is its app, over the gateway or HTTP. Its commands are registered, and notices are
 * delivered as soon as they are written.
 */
export async function startStage({
  mode = 'http',
  environment = {},
}: {
  mode?: Mode;
  environment?: Record<string, string>;
} = {}) {
  const discord = await startDiscord({ ackLimitMs: 300_000 });
  const stage = await startStaged(
    { ...environmentOf(discord, mode), ...environment },
    { stop: discord.stop, verify: (found) => discord.verify({ ...found, quiet: true, complete: true }) },
  );
  if (mode === 'http') discord.deliversTo(`${stage.url}/discord/interactions`);
  else await discord.gateway.connected();
  await discord.until('the commands', () => discord.calls('bulk_set_application_commands')[0]);

  return { ...stage, discord };
}
