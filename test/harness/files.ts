import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { asMultipart, type Fields } from './api.ts';
import type { TestService } from './service.ts';

/** A part of a form. With a `filename` it is a file. */
export type FormPart = {
  name: string;
  filename?: string;
  type?: string | undefined;
  content: string | Buffer;
};

/** A multipart/form-data body with the boundary `B`. File names are sent as UTF-8. */
export function multipartForm(parts: FormPart[]): Buffer {
  const pieces = parts.flatMap(({ name, filename, type, content }) => [
    `--B\r\nContent-Disposition: form-data; name="${name}"`,
    filename === undefined ? '' : `; filename="${filename.replace(/["\\]/g, '\\$&')}"`,
    type === undefined ? '\r\n\r\n' : `\r\nContent-Type: ${type}\r\n\r\n`,
    content,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, '--B--\r\n'].map((piece) => Buffer.from(piece)));
}

/** A file part of the given name and size, of random bytes. */
export function filePart(filename: string, content: number | string | Buffer = 100): FormPart {
  const bytes = typeof content === 'number' ? randomBytes(content) : content;
  return { name: 'password[files][]', filename, content: bytes };
}

/** A request that creates a push with files, by their names. */
export function asMultipartForm(files: Record<string, string | Buffer>, headers: OutgoingHttpHeaders = {}) {
  const parts = Object.entries(files).map(([name, content]) => filePart(name, content));
  return { headers: { ...asMultipart, ...headers }, body: multipartForm(parts) };
}

/** The files in a response. */
export function filesOf(push: Fields): Fields[] {
  return Array.isArray(push.files) ? push.files : [];
}

/** The download path of a file in a response. */
export function downloadPath({ url }: Fields): string {
  return new URL(String(url)).pathname;
}

/** What is stored of files: database rows, grants, and names in the folder. */
export async function storedFiles({ database, filesFolder }: Pick<TestService, 'database' | 'filesFolder'>) {
  const count = async (table: string) => {
    const [row] = await database.select<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`, {});
    return Number(row?.n);
  };
  const names = await readdir(filesFolder).catch(() => []);
  return { rows: await count('files'), grants: await count('download_grants'), names };
}

export const noStoredFiles = { rows: 0, grants: 0, names: [] };
