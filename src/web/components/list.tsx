import type { ComponentChildren } from 'preact';

type ListItem = {
  title: ComponentChildren;
  /** What else is to be known of it, a line each. */
  details?: ComponentChildren[];
  /** What can be done with it. */
  actions?: ComponentChildren;
};

/** A list of things, each with what can be done with it; on a phone as well as on a desk. */
export function List({ items, emptyText }: { items: ListItem[]; emptyText: string }) {
  if (items.length === 0) return <p class="soft">{emptyText}</p>;
  return (
    <ul class="entries">
      {items.map(({ title, details = [], actions }) => (
        <li>
          <div>
            <p class="title">{title}</p>
            {details.map((line) => (
              <p class="hint">{line}</p>
            ))}
          </div>
          {actions === undefined ? null : <div class="row">{actions}</div>}
        </li>
      ))}
    </ul>
  );
}
