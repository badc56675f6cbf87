import type { HttpResponse } from '../targets/target.ts';

/** The first response in received latin1 text, and what follows it. Undefined while it is incomplete. */
export function takeResponse(
  received: string,
  hasEnded = false,
): { response: HttpResponse; rest: string; closes: boolean } | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = received.slice(0, headEnd);
  const content = takeBody(head, received, headEnd + 4, hasEnded);
  if (content === undefined) return undefined;
  const status = Number(head.slice(9, 12));
  const closes =
    /^connection: *close/im.test(head) || (head.startsWith('HTTP/1.0') && !/keep-alive/i.test(head));
  return { response: { status, head, body: content.body }, rest: received.slice(content.end), closes };
}

function takeBody(head: string, received: string, start: number, hasEnded: boolean) {
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length !== undefined) {
    const end = start + Number(length);
    return received.length < end ? undefined : { body: received.slice(start, end), end };
  }
  if (/^transfer-encoding: *chunked/im.test(head)) return takeChunks(received, start);
  if (/^HTTP\/1\.\d (?:204|304)/.test(head)) return { body: '', end: start };
  return hasEnded ? { body: received.slice(start), end: received.length } : undefined;
}

function takeChunks(received: string, start: number) {
  let body = '';
  for (let at = start; ; ) {
    const lineEnd = received.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(received.slice(at, lineEnd), 16);
    const from = lineEnd + 2;
    if (received.length < from + size + 2) return undefined;
    if (size === 0) return { body, end: from + 2 }; // nobody here sends trailers
    body += received.slice(from, from + size);
    at = from + size + 2;
  }
}
