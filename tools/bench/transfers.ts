import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Fields } from '../../test/harness/api.ts';

export const mebibyte = 1024 * 1024;
export const block = randomBytes(mebibyte);

const boundary = '----------------------------hushpushBench'; // as long as those of browsers and curl
const formHead = `--${boundary}\r\nContent-Disposition: form-data; name="password[files][]"; filename="big"\r\n\r\n`;
const formTail = `\r\n--${boundary}--\r\n`;

type Framing = { head?: string; tail?: string; headers?: OutgoingHttpHeaders };

/** Sends random mebibytes as a body, and returns the response. */
export async function sendBody(
  url: string,
  mebibytes: number,
  { head = '', tail = '', headers }: Framing = {},
): Promise<Fields> {
  const length = head.length + mebibytes * mebibyte + tail.length;
  const req = request(url, { method: 'POST', headers: { ...headers, 'content-length': length } });
  const response = once(req, 'response');
  req.write(head);
  for (let sent = 0; sent < mebibytes; sent++) if (!req.write(block)) await once(req, 'drain');
  req.end(tail);
  const [res] = await response;
  return json(res) as Promise<Fields>;
}

/** Creates a push with a file of that size. */
export async function createFilePush(url: string, mebibytes: number): Promise<Fields> {
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const push = await sendBody(`${url}/p.json`, mebibytes, { head: formHead, tail: formTail, headers });
  if (push.url_token === undefined) throw new Error(`not created: ${push.error}`);
  return push;
}

/** Downloads, and counts the bytes. */
export async function download(url: string): Promise<number> {
  let received = 0;
  const req = request(url).end();
  const [res] = await once(req, 'response');
  res.on('data', (bytes: Buffer) => {
    received += bytes.length;
  });
  await once(res, 'end');
  return received;
}
