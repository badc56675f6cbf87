/** How to reach Slack, and as which app. */
export type SlackSettings = {
  /** Slack posts to `/slack/events`, or we connect to it by Socket Mode. */
  mode: 'http' | 'socket';
  signingSecret: string | undefined;
  clientId: string | undefined;
  clientSecret: string | undefined;
  appToken: string | undefined;
  /** The token of a single workspace; without it, any workspace can install the app. */
  botToken: string | undefined;
  /** Whether files can be pushed, where the scope for it was granted. */
  readsFiles: boolean;
  /** Whether user groups can be recipients, where the scope for it was granted. */
  readsUserGroups: boolean;
  apiUrl: string;
  authorizeUrl: string;
  baseUrl: string;
};

/** What lets us fetch the files of messages and forms. */
export const filesScope = 'files:read';

/** The scopes of the app: commands, direct messages, and who is an admin. */
export const scopesOf = ({
  readsFiles,
  readsUserGroups,
}: Pick<SlackSettings, 'readsFiles' | 'readsUserGroups'>): string[] => [
  ...['commands', 'chat:write', 'users:read'],
  ...(readsFiles ? [filesScope] : []),
  ...(readsUserGroups ? ['usergroups:read'] : []),
];
