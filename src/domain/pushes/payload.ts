import type { Problem } from '../../errors.ts';
import { hasAtMost, tooLong } from './fields.ts';

/** In characters. */
export const payloadMax = { text: 1_048_576, qr: 1_024, url: 2_048 };

/** Not valid yet: a field that broke its own rule may hold anything. */
export type PayloadInput = { kind?: unknown; payload?: unknown };

/** Returns what is wrong with a payload of its kind, if anything. */
export function payloadProblem({ kind, payload }: PayloadInput): Problem | undefined {
  if (typeof payload !== 'string') return undefined;
  if (kind === 'url') return isWebAddress(payload) ? undefined : { code: 'url', max: payloadMax.url };
  if (kind !== 'file' && !/\S/.test(payload)) return { code: 'required' };
  const max = kind === 'qr' ? payloadMax.qr : payloadMax.text;
  return hasAtMost(max, payload) ? undefined : tooLong(max);
}

function isWebAddress(text: string): boolean {
  return text.length <= payloadMax.url && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text);
}
