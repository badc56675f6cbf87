import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const body = JSON.stringify({ password: { payload: 'tulip' } });
const head = [
  'POST /p.json HTTP/1.1',
  'Host: x',
  'Connection: close',
  'Expect: 100-continue',
  'Content-Type: application/json',
  `Content-Length: ${body.length}`,
].join('\r\n');

/** Sends half of a request that creates a push, once the service has begun to handle it. `finish` sends the rest. */
export async function sendHalfRequest(port: number) {
  const socket = connect(port, '127.0.0.1');
  const begun = once(socket, 'data'); // "100 Continue"
  socket.write(`${head}\r\n\r\n`);
  await begun;
  socket.on('error', () => {}); // a service that stops may reset it
  const answer = text(socket).catch(() => '');
  socket.write(body.slice(0, 9));
  return { finish: () => socket.write(body.slice(9)), answer };
}
