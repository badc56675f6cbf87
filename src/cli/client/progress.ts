/** Draws how much of something was transferred, on a terminal only. */
export function createProgress(label: string, totalBytes: number, { quiet }: { quiet?: true | undefined }) {
  const isDrawn = process.stderr.isTTY && !quiet && totalBytes > 0;
  let drawn = '';

  return {
    isDrawn,
    update(bytes: number): void {
      const percent = Math.min(100, Math.floor((bytes / totalBytes) * 100));
      const line = `${label} ${percent} %`;
      if (!isDrawn || line === drawn) return;
      process.stderr.write(`\r${line}`);
      drawn = line;
    },
    /** Leaves an empty line for what comes next. */
    end(): void {
      if (drawn !== '') process.stderr.write('\r\u001b[K');
    },
  };
}
