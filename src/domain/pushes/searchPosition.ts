import { maybeId } from '../../crypto/ids.ts';
import type { PushRow } from './push.ts';

/** A position in the order of creation, up to which a search has looked. No push needs to be there any more. */
export type SearchPosition = Pick<PushRow, 'id' | 'createdAt'>;

/** A position as adapters know it. */
export const toSearchPositionText = ({ createdAt, id }: SearchPosition): string =>
  `${createdAt}-${id.toString('hex')}`;

/** Reads it; undefined if it is malformed. */
export function maybeSearchPosition(text: string): SearchPosition | undefined {
  const [, createdAt, hex = ''] = /^(\d{1,15})-(\w+)$/.exec(text) ?? [];
  const id = maybeId(hex);
  return id === null ? undefined : { createdAt: Number(createdAt), id };
}
