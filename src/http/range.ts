/** The requested part of a file; `none` is a part that it does not have. Ends are exclusive. */
export type RequestedRange = { kind: 'all' | 'part'; start: number; end: number } | { kind: 'none' };

/**
 * Parses a Range header (RFC 9110, section 14). Several ranges, and everything that is no range of bytes, mean the whole
 * file: a server may ignore the header.
 */
export function parseRange(header: string, size: number): RequestedRange {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header) ?? [];
  if (first === '' && last === '') return { kind: 'all', start: 0, end: size };
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < start) return { kind: 'all', start: 0, end: size };
  return start < end ? { kind: 'part', start, end } : { kind: 'none' };
}
