import { dayMs } from './time.ts';

/** What is true of each chat that people can use, wherever it matters. A new chat begins with its entry here. */
export const platforms = {
  slack: {
    name: 'Slack',
    /** What people type before a word such as `list`. */
    command: '/push',
    /** Whether a secret can be typed after that command, where the chat's vendor can read it. */
    hasSlashText: true,
    /** The address of a person, for people and for checks. Without a workspace, it is the same everywhere. */
    addressForm: 'TEAM:USER',
    address: /^[A-Z0-9]+:[UW][A-Z0-9]+$/,
    /** What a workspace is called there. */
    workspaceIs: 'workspace',
    /** How long a workspace that removed the app can come back and find everything. Elsewhere only its rules go, at once. */
    graceMs: 30 * dayMs,
  },
  discord: {
    name: 'Discord',
    command: '/pushes',
    hasSlashText: false,
    addressForm: 'USER',
    address: /^\d{17,20}$/,
    workspaceIs: 'server',
  },
  mattermost: {
    name: 'Mattermost',
    command: '/push',
    hasSlashText: true,
    addressForm: 'USER',
    address: /^[a-z0-9]{26}$/,
    workspaceIs: 'team',
  },
} as const satisfies Record<string, PlatformFacts>;

type PlatformFacts = {
  name: string;
  command: string;
  hasSlashText: boolean;
  addressForm: string;
  address: RegExp;
  workspaceIs: 'workspace' | 'server' | 'team';
  graceMs?: number;
};

export type Platform = keyof typeof platforms;

export const platformNames = Object.keys(platforms) as Platform[];

/** How long what belongs to a workspace that removed the app is kept. */
export const graceMsOf = (platform: Platform): number => {
  const { graceMs = 0 }: PlatformFacts = platforms[platform];
  return graceMs;
};

/** The command that connects a browser. */
export const connectCommandOf = (platform: Platform): string => `${platforms[platform].command} connect`;

/** Whether a text has the form of a person's address in a chat. */
export const isChatAddress = (platform: Platform, address: string): boolean =>
  platforms[platform].address.test(address);

/** How people are named outside of their chat, for texts: `slack:TEAM:USER or discord:USER`. */
export const addressForms = (or: string): string =>
  platformNames.map((each) => `${each}:${platforms[each].addressForm}`).join(` ${or} `);
