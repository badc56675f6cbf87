import { createInterface } from 'node:readline';
import { createMcpServer, scopeWarning } from '../../mcp/server.ts';
import { packageVersion } from '../../runtime/package.ts';
import { connect, type ServerOptions } from './connect.ts';
import { note } from './terminal.ts';

/** How long the server may take to say what the token may do. Assistants wait for the tools. */
const patienceMs = 5_000;

/** `hushpush mcp`. Ends with standard input. */
export async function mcp(options: ServerOptions): Promise<void> {
  const { client } = await connect(options);
  const { create, requireMail, preview, list, activity, expire, requests } = client;
  const scope = await client.tokenScope({ signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);
  const warning = scopeWarning(scope);
  if (warning !== undefined) note(`Warning: ${warning}`, options);
  const tools = { create, requireMail, preview, list, activity, expire, requests };
  const respond = createMcpServer(tools, packageVersion(), scope);
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    // Not awaited: a slow tool must not hold up the others.
    void respond(line).then((answer) => answer !== undefined && process.stdout.write(answer));
  }
}
