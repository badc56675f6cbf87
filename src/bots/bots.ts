import type { Domain, Messengers } from '../domain/index.ts';
import { defaultLook, type Look } from '../look/look.ts';
import { type Platform, platforms } from '../platforms.ts';
import type { ActiveChat, ChatAdapter } from './chatModule.ts';

type Dependencies = {
  domain: Domain;
  /** The chats that are on. */
  chats: ActiveChat[];
  links: {
    page(push: { urlToken: string }): string;
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
  if (chats.length > 0) {
    const [{ createCommands }, { createChatMessenger }] = await Promise.all([
      import('./commands.ts'),
      import('./messenger.ts'),
    ]);
    const linkTo = (urlToken: string) => links.page({ urlToken });
    const commands = createCommands({ domain, linkTo, pageOf: links.oneTime, look });
    for (const { platform, open } of chats) {
      const report = (error: unknown) => onError(platforms[platform].name, error);
      const adapter = await open({ domain, commands, look, onError: report });
      adapters[platform] = adapter;
      messengers[platform] = createChatMessenger({ platform, domain, linkTo, transport: adapter.transport });
    }
  }

  return {
    messengers,
    adapters,
    /** The names of the chats that are on. */
    names: chats.map(({ platform }) => platforms[platform].name),
    /** Serves interactions: at the endpoints from now on, and over outgoing connections from `start` to `stop`. */
    listen() {
      const listeners = Object.values(adapters).map((adapter) => adapter.listen());
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
