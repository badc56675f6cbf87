/** What a modal remembers until it is submitted, in its private metadata: Slack keeps it, and shows it to nobody. */
export type SlackModalState = {
  /** The response URL of where it was opened. */
  responseUrl?: string | undefined;
  /** Whether the answer takes the place of the message that it was opened from. */
  replacing?: boolean;
  /** The request that a push is to answer. */
  requestId?: string | undefined;
  /** The token of a text that was kept for it. */
  draftToken?: string | undefined;
  /** The push that it is about. */
  pushId?: string;
};

export const encodeState = (memory: SlackModalState): string => JSON.stringify(memory);

export const decodeState = (metadata: string): SlackModalState =>
  metadata.startsWith('{') ? (JSON.parse(metadata) as SlackModalState) : {};
