/** A size as the pages format it (`size` in src/locales/formats.ts). @param {number} bytes */
export function sizeOf(bytes) {
  const language = document.documentElement.lang;
  const units = ['KiB', 'MiB', 'GiB'];
  const step = Math.min(units.length, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  if (step === 0)
    return new Intl.NumberFormat(language, { style: 'unit', unit: 'byte', unitDisplay: 'long' }).format(
      bytes,
    );
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  return `${numbers.format(bytes / 1024 ** step)} ${units[step - 1]}`;
}
