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
