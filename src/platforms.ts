import { dayMs } from './time.ts';

/** What is true of each chat that people can use, wherever it matters. A new chat begins with its entry here. */
export const platforms = {
  slack: {
    name: 'Slack',
    /** What people type before a word such as `list`. */
    command: '/push',
    /** Whether a secret can be typed after that command, where the chat's vendor can read it. */
    hasSlashText: true,
    /** The address of a person, for people and for checks. */
    addressForm: 'TEAM:USER',
    address: /^[A-Z0-9]+:[UW][A-Z0-9]+$/,
    /** Whether an address begins with the workspace of its person. Elsewhere a person has one address everywhere. */
    hasWorkspaceInAddress: true,
    /** How long a workspace that removed the app can come back and find everything. */
    graceMs: 30 * dayMs,
  },
  discord: {
    name: 'Discord',
    command: '/pushes',
    hasSlashText: false,
    addressForm: 'USER',
    address: /^\d{17,20}$/,
    hasWorkspaceInAddress: false,
    graceMs: 0, // people do not belong to a server, whose rules are all that goes
  },
  mattermost: {
    name: 'Mattermost',
    command: '/push',
    hasSlashText: true,
    addressForm: 'USER',
    address: /^[a-z0-9]{26}$/,
    hasWorkspaceInAddress: false,
    graceMs: 0,
  },
} as const satisfies Record<string, PlatformFacts>;

type PlatformFacts = {
  name: string;
  command: string;
  hasSlashText: boolean;
  addressForm: string;
  address: RegExp;
  hasWorkspaceInAddress: boolean;
  graceMs: number;
};

export type Platform = keyof typeof platforms;

export const platformNames = Object.keys(platforms) as Platform[];

/** The command that connects a browser. */
export const connectCommandOf = (platform: Platform): string => `${platforms[platform].command} connect`;

/** Whether a text has the form of a person's address in a chat. */
export const isChatAddress = (platform: Platform, address: string): boolean =>
  platforms[platform].address.test(address);

/** How people are named outside of their chat, for texts: `slack:TEAM:USER or discord:USER`. */
export const addressForms = (or: string): string =>
  platformNames.map((each) => `${each}:${platforms[each].addressForm}`).join(` ${or} `);
