import type { ComponentChild } from 'preact';

/** A table of the reference. On a phone, its cells stand below one another. */
export function ReferenceTable({ head, rows }: { head: string[]; rows: ComponentChild[][] }) {
  if (rows.length === 0) return null;
  return (
    <table class="reference">
      <thead>
        <tr>
          {head.map((title) => (
            <th>{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
