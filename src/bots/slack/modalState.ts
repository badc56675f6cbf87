/** What a modal remembers until it is submitted, in its private metadata: Slack keeps it, and shows it to nobody. */
export type Memory = {
  /** The response URL of where it was opened. */
  replyTo?: string | undefined;
  /** Whether the answer takes the place of the message that it was opened from. */
  replacing?: boolean;
  /** The request that a push is to answer. */
  answering?: string | undefined;
  /** The token of a text that was kept for it. */
  draft?: string | undefined;
  /** The push that it is about. */
  push?: string;
};

export const writeMemory = (memory: Memory): string => JSON.stringify(memory);

export const readMemory = (metadata: string): Memory =>
  metadata.startsWith('{') ? (JSON.parse(metadata) as Memory) : {};
