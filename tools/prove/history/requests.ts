import type { ApiResponse, SendOptions } from '../../../test/harness/api.ts';
import type { Cluster } from './cluster.ts';
import type { Random } from './random.ts';
import type { HistoryRecord, Operation, OperationKind } from './record.ts';

type Dependencies = { cluster: Pick<Cluster, 'webs'>; record: HistoryRecord };

type RequestOptions = SendOptions & {
  method?: string;
  hangUpAfterMs?: number | undefined;
  key?: string | undefined;
};

export type Requests = ReturnType<typeof createRequests>;

/** Does what a client does, and records how it ended. */
export function createRequests({ cluster, record }: Dependencies) {
  /** Sends a request about a push to a random process that is up, as a load balancer does. */
  async function request(
    kind: OperationKind,
    push: number,
    random: Random,
    path: string,
    { method = 'GET', headers = {}, body, hangUpAfterMs, key }: RequestOptions = {},
  ) {
    const up = cluster.webs.filter(({ isUp }) => isUp());
    const web = random.pick(up.length > 0 ? up : cluster.webs);
    const operation = begin(kind, push, web.name);
    const leaving = new AbortController();
    const leave = () => {
      operation.hungUpAt = Date.now();
      leaving.abort();
    };
    const timer = hangUpAfterMs === undefined ? undefined : setTimeout(leave, hangUpAfterMs);
    if (key !== undefined) operation.key = key;
    const agent = { ...headers, 'user-agent': operation.agent, ...(key && { 'idempotency-key': key }) };
    const response = await web.client
      .send(method, path, { body, headers: agent, signal: leaving.signal })
      .catch((error: Error) => {
        operation.error = error.message;
        return undefined;
      });
    clearTimeout(timer);
    end(operation, response);
    return { operation, response };
  }

  /** Does something without a service process. */
  async function directly(kind: OperationKind, push: number, action: () => Promise<void>): Promise<void> {
    const operation = begin(kind, push, 'prove');
    try {
      await action();
      operation.outcome = 'ok';
    } catch (error) {
      operation.error = String(error);
    }
    operation.endedAt = Date.now();
  }

  function begin(kind: OperationKind, push: number, process: string): Operation {
    const operation: Operation = {
      kind,
      push,
      agent: record.nextAgent(kind),
      process,
      startedAt: Date.now(),
      endedAt: Number.POSITIVE_INFINITY,
      outcome: 'unknown',
      status: 0,
    };
    record.operations.push(operation);
    return operation;
  }

  return { request, directly };
}

function end(operation: Operation, response: ApiResponse | undefined): void {
  operation.endedAt = Date.now();
  operation.status = response?.status ?? 0;
  if (response?.status === 503 && response.headers['retry-after'] === undefined)
    operation.defect = '503 without Retry-After';
  if (response !== undefined && response.status >= 500) operation.error = response.text.slice(0, 200);
  if (response === undefined || response.status === 503) operation.outcome = 'unknown';
  else operation.outcome = response.status < 400 ? 'ok' : 'refused';
}
