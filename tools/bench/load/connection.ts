import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { HttpRequest, HttpResponse } from '../targets/target.ts';
import { takeResponse } from './responses.ts';

/**
 * A keep-alive connection on a bare socket, which costs a third of what node:http or undici need per request. One
 * request at a time. Connects again when the server closes.
 */
export async function openConnection({ hostname, port }: URL) {
  let socket = await open();
  let received: string[] = [];
  /** How long that is, and must be at least before there can be a response in it. */
  let [length, needed] = [0, 0];
  let pending: { resolve: (response: HttpResponse) => void; reject: (error: Error) => void } | undefined;

  async function open(): Promise<Socket> {
    const opened = connect({ host: hostname, port: Number(port || 80), noDelay: true });
    opened.setEncoding('latin1');
    await once(opened, 'connect');
    opened.on('data', (text: string) => {
      received.push(text);
      length += text.length;
      if (length >= needed) settle(false);
    });
    opened.on('end', () => settle(true));
    opened.on('error', fail);
    opened.on('close', () => fail(new Error('the server closed the connection')));
    return opened;
  }

  function settle(hasEnded: boolean): void {
    const text = received.join('');
    const taken = takeResponse(text, hasEnded);
    const asked = pending;
    if ('needed' in taken || asked === undefined) {
      keep(text, 'needed' in taken ? taken.needed : 0);
      return;
    }
    keep(taken.rest);
    pending = undefined;
    if (taken.closes) socket.destroy();
    asked.resolve(taken.response);
  }

  function keep(text: string, least = 0): void {
    received = text === '' ? [] : [text];
    [length, needed] = [text.length, least];
  }

  function fail(error: Error): void {
    keep('');
    pending?.reject(error);
    pending = undefined;
  }

  /** Sends what `serialize` returned. */
  async function send(request: Buffer): Promise<HttpResponse> {
    if (socket.destroyed) socket = await open();
    return new Promise((resolve, reject) => {
      pending = { resolve, reject };
      socket.write(request);
    });
  }

  return { send, close: () => socket.destroy() };
}

/** The bytes of a request to a host. */
export function serialize({ method, path, headers = {}, body }: HttpRequest, { host }: URL): Buffer {
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
  if (body !== undefined) text += `content-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${text}\r\n${body ?? ''}`);
}
