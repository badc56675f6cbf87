import { setTimeout as sleep } from 'node:timers/promises';
import { startDiscord } from '../../../tools/standins/discord/discord.ts';
import { freePort } from '../../harness/mariadb.ts';
import { startService } from '../../harness/service.ts';
import { deliverImmediately, recipientAt } from '../staging.ts';

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
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await startService({
    PORT: String(port),
    BASE_URL: url,
    ...environmentOf(discord, mode),
    ...environment,
  });
  if (mode === 'http') discord.deliversTo(`${url}/discord/interactions`);
  else await discord.gateway.connected();
  await discord.until('the commands', () => discord.calls('bulk_set_application_commands')[0]);

  const recipient = recipientAt(port);
  const delivery = deliverImmediately(service);

  return {
    discord,
    service,
    url,
    client: recipient.client,
    opens: recipient.opens,
    deliver: delivery.deliver,
    deliverHeld: delivery.deliverHeld,
    /** Stops both. Throws where Discord has complaints, or a secret leaked. */
    async stop(secrets: string[] = []) {
      await sleep(20); // for calls that follow a response
      try {
        await delivery.settled();
      } finally {
        recipient.client.close();
        await service.stop().finally(discord.stop);
      }
      discord.verify({ secrets, logs: [service.logged()], quiet: true, complete: true });
    },
  };
}
