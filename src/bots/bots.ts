import type { Domain, Messengers } from '../domain/index.ts';
import { defaultLook, type Look } from '../look/look.ts';
import { type Platform, platforms } from '../platforms.ts';
import type { ActiveChat, ChatAdapter, ChatListener } from './chatModule.ts';
import { toLoggable } from './failure.ts';

type Dependencies = {
  domain: Domain;
  /** The chats that are on. */
  chats: ActiveChat[];
  links: {
    page(push: { urlToken: string }): string;
    request(urlToken: string): string;
    oneTime(purpose: 'compose' | 'connect' | 'export', token: string): string;
  };
  look?: Look;
  /** Logs what failed where no caller waits. */
  onError: (what: string, error: unknown) => void;
};

export type Bots = Awaited<ReturnType<typeof createBots>>;

/**
 * One set of commands, and an adapter for each chat. What belongs to a chat that is off is not loaded, since the chats'
 * libraries take most of the time and memory of a start.
 */
export async function createBots({ domain, chats, links, look = defaultLook, onError }: Dependencies) {
  const adapters: Partial<Record<Platform, ChatAdapter>> = {};
  const messengers: Messengers = {};
  const listening: (() => ChatListener)[] = [];
  if (chats.length > 0) {
    const [{ createCommands }, { createInteractions }, { createChatMessenger }] = await Promise.all([
      import('./commands.ts'),
      import('./interactions/interactions.ts'),
      import('./messenger.ts'),
    ]);
    const linkTo = (urlToken: string) => links.page({ urlToken });
    const commands = createCommands({
      ...{ domain, linkTo, requestLinkTo: links.request, pageOf: links.oneTime, look },
    });
    for (const { platform, open } of chats) {
      const { name } = platforms[platform];
      const report = (error: unknown) =>
        onError(
          name,
          toLoggable(error, name, (each) => adapters[platform]?.transport.explain(each)),
        );
      const interactions = createInteractions({ commands, onError: report });
      const adapter = await open({ domain, interactions, look, onError: report });
      const { transport, standings } = adapter;
      adapters[platform] = adapter;
      messengers[platform] = createChatMessenger({ platform, domain, linkTo, transport });
      listening.push(() => {
        const listener = adapter.listen();
        domain.chat.access.connect(platform, standings);
        domain.chat.onComposed(platform, ({ replyTo, ...context }, push) => {
          if (replyTo === undefined) return;
          const caller = { ...context, idempotencyKey: null };
          listener.respondAt?.(replyTo, commands.pushCreated(push, context), caller).catch(report);
        });
        return listener;
      });
    }
  }

  return {
    messengers,
    adapters,
    /** The names of the chats that are on. */
    names: chats.map(({ platform }) => platforms[platform].name),
    /** Serves interactions: at the endpoints from now on, and over outgoing connections from `start` to `stop`. */
    listen() {
      const listeners = listening.map((listen) => listen());
      return {
        endpoints: listeners.flatMap(({ endpoints }) => endpoints),
        /** `ready` resolves to whether the database can be used. */
        async start(ready: Promise<boolean>) {
          await Promise.all(listeners.map((listener) => listener.start?.(ready)));
        },
        async stop() {
          await Promise.all(listeners.map((listener) => listener.stop?.()));
        },
      };
    },
  };
}
