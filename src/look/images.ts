import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { LookImage } from './look.ts';

const kibibyte = 1024;

/** Why a file of the folder cannot be used. Its message follows the name of the file. */
export class FileProblem extends Error {}

/** The files of a look by their names without an ending, with the endings and the size they may have. */
export const imageFiles = {
  logo: { endings: ['svg', 'png'], bytesMax: 128 * kibibyte },
  'logo-dark': { endings: ['svg', 'png'], bytesMax: 128 * kibibyte },
  icon: { endings: ['svg', 'png'], bytesMax: 64 * kibibyte },
  share: { endings: ['png'], bytesMax: 1024 * kibibyte },
} as const;

/**
 * A file of the folder, which must be in it: a link may lead elsewhere within the folder, as those of Kubernetes do. Throws
 * FileProblem.
 */
export async function readWithin(folder: string, name: string, bytesMax: number): Promise<Buffer> {
  try {
    const [root, path] = await Promise.all([realpath(folder), realpath(join(folder, name))]);
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep))
      throw new FileProblem('is a link to a place outside the folder');
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const { size } = await file.stat().then(requireFile);
      if (size > bytesMax) throw new FileProblem(`has ${size} bytes; at most ${bytesMax} are allowed`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof FileProblem) throw error;
    throw new FileProblem(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function requireFile<Stats extends { isFile(): boolean }>(stats: Stats): Stats {
  if (!stats.isFile()) throw new FileProblem('is not a file');
  return stats;
}

/** An image from its file, as pages below `path` load it. Throws FileProblem if it is not one that browsers show. */
export function toImage(name: string, content: Buffer, path: string): LookImage {
  const isPng = name.endsWith('.png');
  const version = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const served = `look-${name}`;
  return {
    name: served,
    path: `${path}/${served}?v=${version}`,
    version,
    type: isPng ? 'image/png' : 'image/svg+xml',
    content,
    ...(isPng ? sizeOfPng(content) : sizeOfSvg(content)),
  };
}

type Size = { width: number; height: number };

const pngStart = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
const pngEnd = Buffer.from('\0\0\0\0IEND\xaeB`\x82', 'latin1');
const pixelsMax = 4_096;

/** From the header of a PNG (PNG specification, section 11.2.1). */
function sizeOfPng(content: Buffer): Size {
  if (!content.subarray(0, pngStart.length).equals(pngStart) || content.length < 57)
    throw new FileProblem('is not a PNG');
  if (!content.subarray(-pngEnd.length).equals(pngEnd)) throw new FileProblem('is cut off');
  const size = { width: content.readUInt32BE(16), height: content.readUInt32BE(20) };
  if (Math.max(size.width, size.height) > pixelsMax || Math.min(size.width, size.height) < 1)
    throw new FileProblem(
      `has ${size.width} × ${size.height} pixels; at most ${pixelsMax} each way are allowed`,
    );
  return size;
}

/** From the first element of an SVG, which browsers only show as an image with its namespace. */
function sizeOfSvg(content: Buffer): Size {
  const text = textOf(content);
  if (/<!ENTITY/.test(text)) throw new FileProblem('has entities; save it as plain SVG');
  const [, tag = ''] =
    /^(?:<\?xml[^>]*>|<!--(?:[^-]|-[^-])*-->|<!DOCTYPE[^>]*>|\s)*(<svg\s[^>]*>)/.exec(text) ?? [];
  if (attributeOf(tag, 'xmlns') !== 'http://www.w3.org/2000/svg')
    throw new FileProblem('is not an SVG: it must begin with <svg xmlns="http://www.w3.org/2000/svg" …>');
  const [remote] =
    /(?:href\s*=\s*|src\s*=\s*|url\(\s*|@import\s*)(?:["']\s*)?(?:https?:)?\/\/[^"'\s)>]*/i.exec(text) ?? [];
  if (remote !== undefined)
    throw new FileProblem(
      `refers to another place, which browsers do not load from an image: ${remote.slice(0, 80)}`,
    );
  const box = attributeOf(tag, 'viewBox')
    ?.trim()
    .split(/[\s,]+/)
    .map(Number);
  const [width, height] = [box?.[2] ?? lengthOf(tag, 'width'), box?.[3] ?? lengthOf(tag, 'height')];
  if (!(width > 0 && height > 0)) throw new FileProblem('has no size: give its first element a viewBox');
  return { width, height };
}

/** Throws FileProblem if it is not UTF-8. */
export function textOf(content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new FileProblem('is not text in UTF-8');
  }
}

function attributeOf(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}\\s*=\\s*(["'])(.*?)\\1`, 's').exec(tag)?.[2];
}

/** In pixels or without a unit; NaN for others. */
const lengthOf = (tag: string, name: string) => Number(attributeOf(tag, name)?.replace(/px$/, ''));
