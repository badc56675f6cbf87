import { maybeId } from '../../crypto/ids.ts';
import type { PushRow } from './push.ts';

/** A place in the order of creation, up to which a search has looked. No push needs to be there any more. */
export type SearchPlace = Pick<PushRow, 'id' | 'createdAt'>;

/** A place as adapters know it. */
export const toSearchPlaceText = ({ createdAt, id }: SearchPlace): string =>
  `${createdAt}-${id.toString('hex')}`;

/** Reads it; undefined if it is malformed. */
export function maybeSearchPlace(text: string): SearchPlace | undefined {
  const [, createdAt, hex = ''] = /^(\d{1,15})-(\w+)$/.exec(text) ?? [];
  const id = maybeId(hex);
  return id === null ? undefined : { createdAt: Number(createdAt), id };
}
