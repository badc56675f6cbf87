import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { parseJson } from '../json.ts';
import { Refused } from './refused.ts';
import type { Upload } from './route.ts';

export type Body = { text: string; json: unknown; files: Upload[] };

/** Reads a body: JSON, or a form with files whose JSON is in `payload_json`. */
export async function readBody(req: IncomingMessage): Promise<Body> {
  const bytes = await buffer(req);
  const type = req.headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) return readForm(bytes, type);
  const text = bytes.toString();
  if (!type.startsWith('application/json') || text === '') return { text, json: undefined, files: [] };
  return { text, json: parsed(text), files: [] };
}

async function readForm(bytes: Buffer, type: string): Promise<Body> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  const files = await Promise.all(
    [...form].flatMap(([name, value]) => (typeof value === 'string' ? [] : [readUpload(name, value)])),
  );
  const json = form.get('payload_json');
  const text = typeof json === 'string' ? json : '';
  return { text, json: text === '' ? {} : parsed(text), files };
}

async function readUpload(name: string, file: File): Promise<Upload> {
  const [, index = name] = /^files\[(\d+)\]$/.exec(name) ?? [];
  const contentType = file.type || 'application/octet-stream';
  return { index, filename: file.name, contentType, bytes: Buffer.from(await file.arrayBuffer()) };
}

function parsed(text: string): unknown {
  const json = parseJson(text);
  if (json === undefined) throw new Refused(50109, 'a body that is no JSON');
  return json;
}
