import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

/** The folder of a look, with these files. What is no text is written as JSON to `look.json`. */
export async function lookFolder(
  look: object | string | undefined,
  files: Record<string, string | Buffer> = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'look-'));
  const json = typeof look === 'object' ? JSON.stringify(look) : look;
  for (const [name, content] of Object.entries({
    ...(json !== undefined && { 'look.json': json }),
    ...files,
  }))
    await writeFile(join(folder, name), content);
  return folder;
}

/** A logo of 40 × 20 in a colour, with more in it. */
export const svg = (fill: string, more = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" fill="${fill}"/>${more}</svg>`;

/** A PNG of one grey. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8); // bits, of greyscale
  const rows = Buffer.alloc((width + 1) * height, 0x80).map((byte, at) =>
    at % (width + 1) === 0 ? 0 : byte,
  );
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    start,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
