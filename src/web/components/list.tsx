import type { ComponentChildren } from 'preact';

type ListItem = {
  title: ComponentChildren;
  /** One line each; those that are null are left out. */
  details: ComponentChildren[];
  actions?: ComponentChildren;
};

/** A list whose items have a title, details and actions. */
export function List({ items, emptyText }: { items: ListItem[]; emptyText: string }) {
  if (items.length === 0) return <p class="muted">{emptyText}</p>;
  return (
    <ul class="list">
      {items.map(({ title, details, actions }) => (
        <li>
          <div>
            <p class="title">{title}</p>
            {details.map((line) => (line === null ? null : <p class="hint">{line}</p>))}
          </div>
          {actions && <div class="row">{actions}</div>}
        </li>
      ))}
    </ul>
  );
}
