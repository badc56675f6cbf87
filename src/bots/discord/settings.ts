/** How to reach Discord, and as which application. */
export type DiscordSettings = {
  /** We connect to Discord's gateway, or Discord posts to `/discord/interactions`. */
  mode: 'gateway' | 'http';
  token: string;
  applicationId: string;
  /** Verifies interactions over HTTP; in hexadecimal. */
  publicKey: string | undefined;
  apiUrl: string;
};
