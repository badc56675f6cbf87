import { setTimeout as sleep } from 'node:timers/promises';
import { type Mattermost, startMattermost } from '../../../tools/standins/mattermost/mattermost.ts';
import { freePort } from '../../harness/mariadb.ts';
import { startService } from '../../harness/service.ts';
import { deliverImmediately, recipientAt } from '../staging.ts';

/** The settings of a service for this Mattermost. */
export const environmentOf = ({ url, botToken, commandToken }: Mattermost) => ({
  MATTERMOST_URL: url,
  MATTERMOST_TOKEN: botToken,
  MATTERMOST_COMMAND_TOKENS: commandToken,
});

/** A Mattermost, and a whole service that is its bot. Notices are delivered as soon as they are written. */
export async function startStage({ environment = {} }: { environment?: Record<string, string> } = {}) {
  const mattermost = await startMattermost({ triggerLifeMs: 300_000, patienceMs: 20_000 });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await startService({
    PORT: String(port),
    BASE_URL: url,
    ...environmentOf(mattermost),
    ...environment,
  });
  mattermost.deliversTo(url);
  const recipient = recipientAt(port);
  const delivery = deliverImmediately(service);

  return {
    ...{
      mattermost,
      service,
      url,
      environment: environmentOf(mattermost),
      client: recipient.client,
      opens: recipient.opens,
    },
    ...{ deliver: delivery.deliver, deliverHeld: delivery.deliverHeld },
    /** Stops both. Throws where Mattermost has complaints, or a secret leaked. */
    async stop(secrets: string[] = []) {
      await sleep(20); // for calls that follow a response
      try {
        await delivery.settled();
      } finally {
        recipient.client.close();
        await service.stop().finally(mattermost.stop);
      }
      mattermost.verify({ secrets, logs: [service.logged()] });
    },
  };
}
