import type { ComponentChildren } from 'preact';

type Entry = {
  title: ComponentChildren;
  /** What else is to be known of it, a line each. */
  lines?: ComponentChildren[];
  /** What can be done with it. */
  actions?: ComponentChildren;
};

/** A list of things, each with what can be done with it; on a phone as well as on a desk. */
export function Entries({ entries, none }: { entries: Entry[]; none: string }) {
  if (entries.length === 0) return <p class="soft">{none}</p>;
  return (
    <ul class="entries">
      {entries.map(({ title, lines = [], actions }) => (
        <li>
          <div>
            <p class="title">{title}</p>
            {lines.map((line) => (
              <p class="hint">{line}</p>
            ))}
          </div>
          {actions === undefined ? null : <div class="row">{actions}</div>}
        </li>
      ))}
    </ul>
  );
}
