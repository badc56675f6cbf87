import type { Domain, Messenger } from '../../domain/index.ts';
import type { DirectMessages } from '../directMessages.ts';
import { createChatMessenger } from '../messenger.ts';
import type { Authorization } from './authorization.ts';
import { isInvalidToken, isSlackMessageMissing, isSlackUnreachable, slackDeliveryOf } from './errors.ts';
import { noUnfurl, renderSlackMessage } from './render.ts';
import type { UserProfiles } from './userProfiles.ts';

type Dependencies = {
  domain: Pick<Domain, 'pushes' | 'chat'>;
  authorization: Authorization;
  profiles: UserProfiles;
  linkTo: (urlToken: string) => string;
};

/** Delivers notices in Slack. */
export function createSlackMessenger({ domain, authorization, profiles, linkTo }: Dependencies): Messenger {
  async function connect(address: string): Promise<DirectMessages | undefined> {
    const [workspace = '', user = ''] = address.split(':');
    const client = await authorization.maybeClient(workspace);
    if (client === undefined) return undefined;
    return {
      locale: await profiles.maybeLocale(client, address),
      async send(card) {
        const { channel = user, ts = '' } = await client.chat.postMessage({
          channel: user,
          ...renderSlackMessage(card),
          ...noUnfurl,
        });
        return { channel, message: ts };
      },
      async edit({ channel, message: ts }, card) {
        await client.chat.update({ channel, ts, ...renderSlackMessage(card), ...noUnfurl });
      },
      async reply({ channel, message: thread_ts }, card) {
        const { ts = '' } = await client.chat.postMessage({
          channel,
          thread_ts,
          ...renderSlackMessage(card),
          ...noUnfurl,
        });
        return { channel, message: ts };
      },
      async onError(error) {
        if (isInvalidToken(error)) await authorization.removeInstallation(workspace, client.token);
      },
    };
  }

  const transport = {
    maybeOpen: connect,
    isLost: isSlackMessageMissing,
    isUnreachable: isSlackUnreachable,
    toDelivery: slackDeliveryOf,
  };
  return createChatMessenger({ platform: 'slack', name: 'Slack', domain, linkTo, transport });
}
