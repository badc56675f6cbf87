/** The border of a code, in modules, and how it is encoded. */
export const qrOptions = /** @type {const} */ ({ ecc: 'medium', border: 4 });

/** The light square and the dark modules of a code, as paths: one rectangle for each run. @param {boolean[][]} rows */
export function qrPaths(rows) {
  const size = rows.length;
  const runs = rows.flatMap((row, y) =>
    [...row.map(Number).join('').matchAll(/1+/g)].map(
      ({ 0: { length }, index }) => `M${index} ${y}h${length}v1H${index}z`,
    ),
  );
  return { size, light: `M0 0h${size}v${size}H0z`, dark: runs.join('') };
}
