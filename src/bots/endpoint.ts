import type { IncomingMessage, ServerResponse } from 'node:http';

/** A route of a chat. It reads the raw body itself, so it comes before any body parser. */
export type ChatEndpoint = {
  method: string;
  path: string;
  /** Whether `handle` refuses what the chat did not sign. If not, anybody can send to it, so requests are limited by client. */
  isSigned: boolean;
  handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
};
