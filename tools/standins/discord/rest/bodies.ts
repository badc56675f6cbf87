import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { parseJson } from '../../shared/json.ts';
import type { Upload } from './route.ts';

export type Body = {
  text: string;
  json: unknown;
  files: Upload[];
  /** Whether its content type is JSON but its content is not. */
  isBroken: boolean;
};

/** Reads a body: JSON, or a form with files whose JSON is in `payload_json`. */
export async function readBody(message: IncomingMessage): Promise<Body> {
  const bytes = await buffer(message);
  const type = message.headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) return readForm(bytes, type);
  return parsed(String(bytes), type.startsWith('application/json'));
}

async function readForm(bytes: Buffer, type: string): Promise<Body> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  const files = await Promise.all(
    [...form].flatMap(([name, value]) => (typeof value === 'string' ? [] : [readUpload(name, value)])),
  );
  return { ...parsed(String(form.get('payload_json') ?? '{}'), true), files };
}

async function readUpload(name: string, file: File): Promise<Upload> {
  const [, index = name] = /^files\[(\d+)\]$/.exec(name) ?? [];
  const contentType = file.type || 'application/octet-stream';
  return { index, filename: file.name, contentType, bytes: Buffer.from(await file.arrayBuffer()) };
}

function parsed(text: string, isJson: boolean): Body {
  const json = isJson ? parseJson(text) : undefined;
  return { text, json, files: [], isBroken: isJson && text !== '' && json === undefined };
}

/** All texts in a body. */
export function textsIn({ text, files }: Body): string[] {
  return [text, ...files.flatMap(({ filename, bytes }) => [filename, String(bytes)])];
}
