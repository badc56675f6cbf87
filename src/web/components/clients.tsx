import type { Place } from '../../domain/index.ts';
import type { PageContext } from '../pageContext.ts';

/** What a client sent, as it sent it: shown on demand, and easy to copy. Nothing without any. */
export function TechnicalDetails({ summary, lines }: { summary: string; lines: string[] }) {
  const sent = lines.filter((line) => line !== '');
  if (sent.length === 0) return null;
  return (
    <details class="technical">
      <summary>{summary}</summary>
      {sent.map((line) => (
        <code>{line}</code>
      ))}
    </details>
  );
}

type ApproximatePlacesProps = { page: PageContext; rows: { place: Place | null }[] };

/** Says once that places are approximate. Renders nothing if no row has a place. */
export function ApproximatePlaces({ page, rows }: ApproximatePlacesProps) {
  if (rows.every(({ place }) => place === null)) return null;
  return <p class="hint">{page.messages.approximatePlaces}</p>;
}
