import type { IncomingMessage, ServerResponse } from 'node:http';

/** A page of a chat's that a web server is to have answered before it reads the body of a request. */
export type Endpoint = {
  method: string;
  path: string;
  answer: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
};
