import type { IncomingMessage, ServerResponse } from 'node:http';

/** A route of a chat. It reads the raw body itself, so it comes before any body parser. */
export type ChatEndpoint = {
  method: string;
  path: string;
  handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
};
