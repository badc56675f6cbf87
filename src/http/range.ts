/** What a request asks for of a file: all of it, a part, or a part that it does not have. Ends are exclusive. */
export type RequestedRange = { kind: 'all' | 'part'; start: number; end: number } | { kind: 'none' };

/**
 * Reads a Range header (RFC 9110, section 14). Where there are several ranges, or what is no range of bytes, all of the file
 * is wanted: a server may choose to ignore the header.
 */
export function parseRange(header: string, size: number): RequestedRange {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header) ?? [];
  if (first === '' && last === '') return { kind: 'all', start: 0, end: size };
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < start) return { kind: 'all', start: 0, end: size };
  return start < end ? { kind: 'part', start, end } : { kind: 'none' };
}
