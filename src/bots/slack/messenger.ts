import type { Domain, Messenger } from '../../domain/index.ts';
import { type Correspondent, createChatMessenger } from '../messenger.ts';
import type { Authorization } from './authorization.ts';
import { isDeadToken, isLostMessage, isUnreachable, verdictOn } from './errors.ts';
import { draw, quiet } from './render.ts';

type Parts = {
  domain: Pick<Domain, 'pushes' | 'chat'>;
  authorization: Authorization;
  linkTo: (urlToken: string) => string;
};

/** Slack's way to people. An address is `TEAM:USER`, or `ENTERPRISE:USER` where an organisation has the app. */
export function createSlackMessenger({ domain, authorization, linkTo }: Parts): Messenger {
  async function reach(address: string): Promise<Correspondent | undefined> {
    const [workspace = '', user = ''] = address.split(':');
    const client = await authorization.clientFor(workspace);
    if (client === undefined) return undefined;
    return {
      async send(card) {
        const { channel = user, ts = '' } = await client.chat.postMessage({
          channel: user,
          ...draw(card),
          ...quiet,
        });
        return { channel, message: ts };
      },
      async edit({ channel, message: ts }, card) {
        await client.chat.update({ channel, ts, ...draw(card), ...quiet });
      },
      async answer({ channel, message: thread_ts }, card) {
        await client.chat.postMessage({ channel, thread_ts, ...draw(card), ...quiet });
      },
      async failed(error) {
        if (isDeadToken(error)) await authorization.forget(workspace, client.token);
      },
    };
  }

  const transport = { reach, isLost: isLostMessage, isUnreachable, verdictOn };
  return createChatMessenger({ platform: 'slack', name: 'Slack', domain, linkTo, transport });
}
