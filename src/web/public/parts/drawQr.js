import { qrOptions, qrPaths } from './qrModules.js';

/**
 * Draws a text into the QR code of a page, and removes the code if the text does not fit. `encoder` is the address of the
 * module that encodes it. @param {SVGSVGElement} code @param {string} text @param {string} encoder
 */
export async function drawQr(code, text, encoder) {
  const { default: encodeQr } = await import(encoder);
  try {
    const { size, ...paths } = qrPaths(encodeQr(text, 'raw', qrOptions));
    const [light, dark] = code.querySelectorAll('path');
    code.setAttribute('viewBox', `0 0 ${size} ${size}`);
    light?.setAttribute('d', paths.light);
    dark?.setAttribute('d', paths.dark);
  } catch {
    code.remove();
  }
}
