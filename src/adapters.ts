import { createBots } from './bots/bots.ts';
import { discordSettings, slackSettings } from './config.ts';
import { packageVersion } from './runtime/package.ts';
import { buildJobs } from './scheduler/jobs.ts';
import type { Service } from './service.ts';
import { createWebhookMessenger } from './webhooks/messenger.ts';

type AdapterOptions = {
  /** Called with what failed where nobody waits for a result, such as a chat's connection. */
  onError?: (source: string, error: unknown) => void;
};

/** Opens the chats, and the jobs, which deliver notices through them. Nothing in it runs by itself. */
export async function openAdapters(
  { config, domain, links }: Service,
  { onError = () => {} }: AdapterOptions = {},
) {
  const bots = await createBots({
    domain,
    settings: { slack: slackSettings(config), discord: discordSettings(config) },
    links,
    onError,
  });
  const webhook = createWebhookMessenger({
    version: packageVersion(),
    webhooks: domain.webhooks,
    allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
  });
  return { bots, jobs: buildJobs(domain, { webhook, ...bots.messengers }) };
}
