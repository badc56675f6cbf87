// Pushes and reads again and again until SIGTERM, and prints a line of JSON for each attempt. As docs/api.md says, a request
// without a usable answer is sent again under its Idempotency-Key. Every other push is left alone until the end, when all of
// these are read. It runs in a container, with Node.js of the image.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const origin = process.argv[2];
const clients = 4;
const pauseMs = 50;
const patienceMs = 120_000;
const kept = new Map();
let count = 0;
let isEnding = false;
process.on('SIGTERM', () => {
  isEnding = true;
});

const report = (line) => console.log(JSON.stringify(line));

/** Sends a request until it is answered. Returns undefined if it never is. */
async function send(path, { headers, ...options } = {}) {
  const key = randomUUID();
  const deadline = Date.now() + patienceMs;
  for (let attempt = 1; Date.now() < deadline; attempt++) {
    const at = Date.now();
    const answer = await sendOnce(path, { ...options, headers: { ...headers, 'idempotency-key': key } });
    const isAnswered = answer.status !== 0 && answer.status !== 409 && answer.status < 500;
    report({ at, attempt, status: answer.status, isAnswered });
    if (isAnswered) return answer;
    await sleep(500);
  }
  report({ at: Date.now(), gaveUp: path });
}

async function sendOnce(path, options) {
  try {
    const response = await fetch(origin + path, options);
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : {} };
  } catch {
    return { status: 0, body: {} };
  }
}

async function pushAndRead() {
  const payload = randomUUID();
  const answer = await send('/p.json', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: { payload, expire_after_views: 1 } }),
  });
  if (answer?.status !== 201) return report({ at: Date.now(), wrong: `a push: ${answer?.status}` });
  const path = `/p/${answer.body.url_token}.json`;
  if (count++ % 2 === 0) kept.set(path, payload);
  else if ((await send(path))?.body.payload !== payload) report({ at: Date.now(), wrong: path });
}

async function readKept() {
  const lost = [];
  for (const [path, payload] of kept) if ((await send(path))?.body.payload !== payload) lost.push(path);
  report({ kept: kept.size, lost });
}

await Promise.all(
  Array.from({ length: clients }, async () => {
    while (!isEnding) {
      await pushAndRead();
      await sleep(pauseMs);
    }
  }),
);
await readKept();
