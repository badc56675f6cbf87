/** How Slack is reached, and as which app. */
export type SlackSettings = {
  /** Whether Slack comes to `/slack/events`, or we go to Slack over a web socket. */
  mode: 'http' | 'socket';
  signingSecret: string | undefined;
  clientId: string | undefined;
  clientSecret: string | undefined;
  appToken: string | undefined;
  /** The token of the one workspace there is; without it, any workspace can install the app. */
  botToken: string | undefined;
  apiUrl: string;
  authorizeUrl: string;
  baseUrl: string;
};

/** What the app asks for when it is installed: commands, messages to people, and who is an admin. */
export const scopes = ['commands', 'chat:write', 'im:write', 'users:read'];
