import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { inParts } from '../../../src/domain/files/frames.ts';

// tsx bareFiles.ts PORT FILE
// An upper bound: node:http writes a body to a file, syncs it, and returns it. There is no form, database, limit or log.
// `/sealed` encrypts with AES-256-GCM, and authenticates each part before it is sent; `/plain` does not.

const partBytes = 256 * 1024;
const [port, path = ''] = process.argv.slice(2);
const key = randomBytes(32);
const tags: Buffer[] = [];

function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(number);
  return nonce;
}

function seal(part: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(tags.length));
  const sealed = cipher.update(part);
  cipher.final();
  tags.push(cipher.getAuthTag());
  return sealed;
}

async function receive(body: IncomingMessage, isSealed: boolean): Promise<void> {
  tags.length = 0;
  const file = await open(path, 'w');
  let written = Promise.resolve();
  for await (const part of inParts(body, partBytes)) {
    const piece = isSealed ? seal(part) : part;
    await written;
    written = file.writeFile(piece);
  }
  await written;
  await file.sync();
  await file.close();
}

async function* opened(): AsyncGenerator<Buffer> {
  let number = 0;
  for await (const part of createReadStream(path, { highWaterMark: partBytes })) {
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number));
    decipher.setAuthTag(tags[number] ?? Buffer.alloc(16));
    const plaintext = decipher.update(part);
    decipher.final();
    yield plaintext;
    number += 1;
  }
}

createServer(async (req, res) => {
  const isSealed = req.url === '/sealed';
  if (req.method === 'POST') await receive(req, isSealed);
  else if (req.url !== '/')
    return pipeline(isSealed ? opened() : createReadStream(path, { highWaterMark: partBytes }), res);
  res.end('{}');
}).listen(Number(port), '127.0.0.1');
