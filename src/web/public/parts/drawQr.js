/**
 * Draws a text into the QR code of a page, and removes the code if the text does not fit.
 * @param {SVGSVGElement} code
 * @param {string} text
 * @param {string} encoder the address of the module that encodes it
 */
export async function drawQr(code, text, encoder) {
  const { default: encodeQr } = await import(encoder);
  const [light, dark] = code.querySelectorAll('path');
  try {
    /** @type {boolean[][]} */
    const rows = encodeQr(text, 'raw', { ecc: 'medium', border: 4 });
    const size = rows.length;
    const modules = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
    code.setAttribute('viewBox', `0 0 ${size} ${size}`);
    light?.setAttribute('d', `M0 0h${size}v${size}H0z`);
    dark?.setAttribute('d', modules.join(''));
  } catch {
    code.remove();
  }
}
