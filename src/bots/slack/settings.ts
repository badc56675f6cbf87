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
  apiUrl: string;
  authorizeUrl: string;
  baseUrl: string;
};

/** The scopes of the app: commands, direct messages, and who is an admin. */
export const scopes = ['commands', 'chat:write', 'users:read'];
