import { constants, createDeflate, deflateSync } from 'node:zlib';

/** How messages to the app are compressed: https://docs.discord.com/developers/events/gateway#encoding-and-compression */
export type Packing = (text: string) => Promise<string | Buffer>;

export const plain: Packing = async (text) => text;

/** Each message by itself, if IDENTIFY asks for it. */
export const deflated: Packing = async (text) => deflateSync(text);

const ending = Buffer.from([0, 0, 255, 255]);

/** The connection as one stream, if its URL asks for it. Each message ends with 00 00 FF FF. */
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
