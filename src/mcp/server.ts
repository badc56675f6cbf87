import { ConnectionError, type GrantedScope, RefusedError } from '../client/client.ts';
import { argumentProblem } from './arguments.ts';
import { createPushIds } from './pushIds.ts';
import type { Tool, ToolClient } from './tool.ts';
import { tools } from './tools.ts';

type Message = { id?: unknown; method: string; params?: unknown };
type Result = { result: object } | { error: { code: number; message: string } };

/** The revisions of the Model Context Protocol that this server speaks, newest first. */
const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const errorCodes = { parse: -32_700, request: -32_600, method: -32_601, params: -32_602 };

const instructions =
  'Hand secrets over with create_push, and pass on its link instead of the secret. There is no tool that reads a secret, and none but create_push and create_request_link that shows a link.';

/** What to say where a token may do more than the tools; undefined where it may not. */
export const scopeWarning = (scope: GrantedScope | undefined): string | undefined =>
  scope === 'full'
    ? 'The API token has the scope full, with which whoever gets hold of it can list and open all secrets of its account: use one with the scope create or read.'
    : undefined;

/**
 * Answers the messages of the Model Context Protocol, one a line: JSON-RPC 2.0 over standard input and output. A server
 * with nothing but tools needs no more of it. `scope` is that of the client's API token, if it is known.
 */
export function createMcpServer(client: ToolClient, version: string, scope?: GrantedScope) {
  const context = { client, ids: createPushIds() };

  const methods: Record<string, (params: Record<string, unknown>) => Result | Promise<Result>> = {
    initialize: ({ protocolVersion }) => ({
      result: {
        protocolVersion: protocolVersions.find((one) => one === protocolVersion) ?? protocolVersions[0],
        capabilities: { tools: {} },
        serverInfo: { name: 'hushpush', title: 'hushpush', version },
        instructions: [instructions, scopeWarning(scope)].filter(Boolean).join(' '),
      },
    }),
    ping: () => ({ result: {} }),
    'tools/list': () => ({ result: { tools: Object.entries(tools).map(describeTool) } }),
    'tools/call': callTool,
  };

  async function callTool({ name, arguments: given = {} }: Record<string, unknown>): Promise<Result> {
    const tool = typeof name === 'string' && Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (tool === undefined) return failure('params', 'There is no such tool.');
    if (!isObject(given)) return failure('params', 'The arguments must be an object.');
    const problem = argumentProblem(tool, given);
    if (problem !== undefined) return { result: toolFailure(problem) };
    try {
      const structuredContent = await tool.run(context, given);
      const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
      return { result: { content, structuredContent } };
    } catch (error) {
      return { result: toolFailure(problemOf(error)) };
    }
  }

  /** The answer to a line, as a line; undefined if it wants none. Never throws. */
  return async function respond(line: string): Promise<string | undefined> {
    const message = parse(line);
    if (message === undefined) return toLine(null, failure('parse', 'The line is not JSON.'));
    if (isResponse(message)) return undefined;
    if (!isRequest(message))
      return toLine(null, failure('request', 'The message is not a JSON-RPC request.'));
    const { id, method, params } = message;
    if (id === undefined) return undefined; // a notification
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (run === undefined) return toLine(id, failure('method', `There is no method ${method}.`));
    return toLine(id, await run(isObject(params) ? params : {}));
  };
}

function describeTool([name, { properties, required, run: _run, output, ...description }]: [string, Tool]) {
  const inputSchema = { type: 'object', properties, required, additionalProperties: false };
  return { name, ...description, inputSchema, outputSchema: output };
}

const failure = (kind: keyof typeof errorCodes, message: string): Result => ({
  error: { code: errorCodes[kind], message },
});

/** A failure that the model reads, and can act on. */
const toolFailure = (text: string) => ({ content: [{ type: 'text', text }], isError: true });

function problemOf(error: unknown): string {
  if (error instanceof RefusedError) return [error.message, error.advice].filter(Boolean).join(' ');
  if (error instanceof ConnectionError || error instanceof TypeError) return error.message;
  return 'Something went wrong.';
}

const toLine = (id: unknown, result: Result) => `${JSON.stringify({ jsonrpc: '2.0', id, ...result })}\n`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isRequest = (value: unknown): value is Message => isObject(value) && typeof value.method === 'string';

const isResponse = (value: unknown) => isObject(value) && ('result' in value || 'error' in value);

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
