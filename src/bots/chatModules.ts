import type { z } from 'zod';
import { isSecretSetting } from '../config/values.ts';
import type { Platform } from '../platforms.ts';
import type { ActiveChat, ChatModule, MissingSetting } from './chatModule.ts';
import { discord } from './discord/module.ts';
import { mattermost } from './mattermost/module.ts';
import { slack } from './slack/module.ts';

/** Every chat, in the order of the settings. */
const chatModules = { slack, discord, mattermost } satisfies Record<Platform, ChatModule>;

type Shapes = (typeof chatModules)[Platform]['settings'];
type Merged<Each> = (Each extends unknown ? (each: Each) => void : never) extends (all: infer All) => void
  ? All
  : never;

const all: ChatModule[] = Object.values(chatModules);

/** The settings of all chats. */
export const chatShape = Object.assign({}, ...all.map(({ settings }) => settings)) as Merged<Shapes>;

/** Their settings that are shown masked, and may come from files. */
export const chatSecrets: readonly string[] = Object.entries<z.core.$ZodType>(chatShape)
  .filter(([, schema]) => isSecretSetting(schema))
  .map(([name]) => name);

export const missingForChats = (config: object): MissingSetting[] =>
  all.flatMap((each) => each.missing({ ...config }));

/** The chats that are on. */
export const chatsIn = (config: object, baseUrl: string): ActiveChat[] =>
  all.flatMap((each) => each.maybeOn({ ...config }, baseUrl) ?? []);
