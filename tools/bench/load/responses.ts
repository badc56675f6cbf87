import type { HttpResponse } from '../targets/target.ts';

/** A text that is incomplete, and how long it must be at least before it can be complete. */
type Incomplete = { needed: number };

/** The first response in received latin1 text, and what follows it. */
export function takeResponse(
  received: string,
  hasEnded = false,
): { response: HttpResponse; rest: string; closes: boolean } | Incomplete {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return { needed: received.length + 1 };
  const head = received.slice(0, headEnd);
  const content = takeBody(head, received, headEnd + 4, hasEnded);
  if ('needed' in content) return content;
  const status = Number(head.slice(9, 12));
  const closes =
    /^connection: *close/im.test(head) || (head.startsWith('HTTP/1.0') && !/keep-alive/i.test(head));
  return { response: { status, head, body: content.body }, rest: received.slice(content.end), closes };
}

type Body = { body: string; end: number };

function takeBody(head: string, received: string, start: number, hasEnded: boolean): Body | Incomplete {
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length !== undefined) {
    const end = start + Number(length);
    return received.length < end ? { needed: end } : { body: received.slice(start, end), end };
  }
  if (/^transfer-encoding: *chunked/im.test(head)) return takeChunks(received, start);
  if (/^HTTP\/1\.\d (?:204|304)/.test(head)) return { body: '', end: start };
  return hasEnded ? { body: received.slice(start), end: received.length } : { needed: received.length + 1 };
}

function takeChunks(received: string, start: number): Body | Incomplete {
  let body = '';
  for (let at = start; ; ) {
    const lineEnd = received.indexOf('\r\n', at);
    if (lineEnd < 0) return { needed: received.length + 1 };
    const size = Number.parseInt(received.slice(at, lineEnd), 16);
    const from = lineEnd + 2;
    if (received.length < from + size + 2) return { needed: from + size + 2 };
    if (size === 0) return { body, end: from + 2 }; // nobody here sends trailers
    body += received.slice(from, from + size);
    at = from + size + 2;
  }
}
