/** The border of a code, in modules, and how it is encoded. */
export const qrOptions = /** @type {const} */ ({ ecc: 'medium', border: 4 });

/** The light square and the dark modules of a code, as paths: one rectangle for each run. @param {boolean[][]} rows */
export function qrPaths(rows) {
  const size = rows.length;
  /** @param {boolean[]} row @param {number} y */
  const runs = (row, y) =>
    row
      .map(Number)
      .join('')
      .replace(/0|1+/g, (run, x) => (run === '0' ? '' : `M${x} ${y}h${run.length}v1H${x}z`));
  return { size, light: `M0 0h${size}v${size}H0z`, dark: rows.map(runs).join('') };
}
