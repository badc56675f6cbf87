import type { z } from 'zod';
import { isSecretSetting } from '../config/values.ts';
import { type Platform, platformNames, platforms } from '../platforms.ts';
import type { ActiveChat, ChatModule } from './chatModule.ts';
import { discord } from './discord/module.ts';
import { mattermost } from './mattermost/module.ts';
import { slack } from './slack/module.ts';

/** Every chat, in the order of the settings. */
const chatModules = { slack, discord, mattermost } satisfies Record<Platform, ChatModule>;

type Shapes = (typeof chatModules)[Platform]['settings'];
type Merged<Each> = (Each extends unknown ? (each: Each) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The settings of all chats. */
export const chatShape = Object.assign(
  {},
  ...Object.values(chatModules).map(({ settings }) => settings),
) as Merged<Shapes>;

/** Their settings that are shown masked, and may come from files. */
export const chatSecrets: readonly string[] = Object.entries<z.core.$ZodType>(chatShape)
  .filter(([, schema]) => isSecretSetting(schema))
  .map(([name]) => name);

/** Each chat that is on, and what it lacks. */
const switchedOn = (config: Record<string, unknown>) =>
  platformNames.flatMap((platform) => {
    const module: ChatModule = chatModules[platform];
    if (module.credentials.every((name) => config[name] === undefined)) return [];
    const missing = Object.entries(module.required(config)).filter(([name]) => config[name] === undefined);
    return [{ platform, module, missing }];
  });

export const missingForChats = (config: object): { name: string; problem: string }[] =>
  switchedOn({ ...config }).flatMap(({ platform, missing }) =>
    missing.map(([name, when]) => ({
      name,
      problem: `must be set for ${platforms[platform].name} ${when}`.trim(),
    })),
  );

/** The chats that are on. */
export const chatsIn = (config: object, baseUrl: string): ActiveChat[] =>
  switchedOn({ ...config }).flatMap(({ platform, module, missing }) =>
    missing.length > 0 ? [] : [{ platform, ...module.of({ ...config }, baseUrl) }],
  );
