import { constants, createDeflate, deflateSync } from 'node:zlib';

/** How messages are packed on their way to the app: https://docs.discord.com/developers/events/gateway#encoding-and-compression */
export type Packing = (text: string) => Promise<string | Buffer>;

export const plain: Packing = async (text) => text;

/** Each by itself, as IDENTIFY can ask for. */
export const deflated: Packing = async (text) => deflateSync(text);

const ending = Buffer.from([0, 0, 255, 255]);

/** All of a connection as one stream, as its URL can ask for; each message ends with 00 00 FF FF. */
export function zlibStream(): Packing {
  const stream = createDeflate();
  const waiting: ((packed: Buffer) => void)[] = [];
  let chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    const packed = Buffer.concat(chunks);
    if (!packed.subarray(-4).equals(ending)) return;
    chunks = [];
    waiting.shift()?.(packed);
  });
  return (text) =>
    new Promise((resolve) => {
      waiting.push(resolve);
      stream.write(text);
      stream.flush(constants.Z_SYNC_FLUSH);
    });
}
