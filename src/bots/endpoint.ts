import type { IncomingMessage, ServerResponse } from 'node:http';

/** A page of a chat's that a web server is to have answered before it reads the body of a request. */
export type ChatEndpoint = {
  method: string;
  path: string;
  handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
};
