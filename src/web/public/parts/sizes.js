const units = ['kilobyte', 'megabyte', 'gigabyte'];

/** A size as the pages format it (`size` in src/locales/formats.ts). @param {number} bytes */
export function sizeOf(bytes) {
  const step = Math.min(units.length, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return new Intl.NumberFormat(document.documentElement.lang, {
    style: 'unit',
    unit: units[step - 1] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1024 ** step);
}
