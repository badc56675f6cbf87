/** How Discord is reached, and as which application. */
export type DiscordSettings = {
  /** Whether we go to Discord over its gateway, or Discord comes to `/discord/interactions`. */
  mode: 'gateway' | 'http';
  token: string;
  applicationId: string;
  /** In hexadecimal; what interactions over HTTP are signed by. */
  publicKey: string | undefined;
  apiUrl: string;
};
