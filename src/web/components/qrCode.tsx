import encodeQR from 'qr';
import { qrOptions, qrPaths } from '../public/parts/qrModules.js';

/** What the largest code (ISO/IEC 18004, version 40) holds at 15 % error correction. */
const maxBytes = 2_331;

type QrCodeProps = { text: string; title: string; tooLong: string };

/** A text as a QR code, or the message `tooLong`. */
export function QrCode({ text, title, tooLong }: QrCodeProps) {
  if (Buffer.byteLength(text) > maxBytes) return <p class="small muted">{tooLong}</p>;
  const { size, light, dark } = qrPaths(encodeQR(text, 'raw', qrOptions));
  return (
    <svg
      class="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={title}
      shape-rendering="crispEdges"
    >
      <path d={light} fill="#fff" />
      <path d={dark} fill="#000" />
    </svg>
  );
}
