import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { secondMs } from '../../time.ts';

const waitMs = 2 * secondMs;
const tooLarge = 413;

/**
 * Whether a body of that size may be sent. Only announces it: a proxy with a lower limit refuses at once, and one
 * without waits for the first byte.
 */
export function acceptsBody(url: string, bytes: number): Promise<boolean> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const request = send(url, {
      method: 'POST',
      headers: { 'content-length': bytes, 'content-type': 'application/octet-stream' },
      timeout: waitMs,
      agent: false,
    });
    const end = (accepts: boolean) => {
      resolve(accepts);
      request.destroy();
    };
    request
      .on('response', ({ statusCode }) => end(statusCode !== tooLarge))
      .on('timeout', () => end(true))
      .on('error', () => end(true))
      .flushHeaders();
  });
}
