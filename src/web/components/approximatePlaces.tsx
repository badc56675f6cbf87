import type { Place } from '../../domain/index.ts';
import type { PageContext } from '../pageContext.ts';

type ApproximatePlacesProps = { page: PageContext; rows: { place: Place | null }[] };

/** Says once that places are approximate. Renders nothing if no row has a place. */
export function ApproximatePlaces({ page, rows }: ApproximatePlacesProps) {
  if (rows.every(({ place }) => place === null)) return null;
  return <p class="hint">{page.messages.approximatePlaces}</p>;
}
