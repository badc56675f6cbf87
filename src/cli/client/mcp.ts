import { createInterface } from 'node:readline';
import { createMcpServer } from '../../mcp/server.ts';
import { packageVersion } from '../../runtime/package.ts';
import { connect, type ServerOptions } from './connect.ts';

/** `hushpush mcp`. Ends with standard input. */
export async function mcp(options: ServerOptions): Promise<void> {
  const { client } = await connect(options);
  const { create, preview, list, expire, requests } = client;
  const respond = createMcpServer({ create, preview, list, expire, requests }, packageVersion());
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    // Not awaited: a slow tool must not hold up the others.
    void respond(line).then((answer) => answer !== undefined && process.stdout.write(answer));
  }
}
