import encodeQR from 'qr';

/** What the largest code (ISO/IEC 18004, version 40) holds at 15 % error correction. */
const maxBytes = 2_331;
const quietZone = 4;

type QrCodeProps = { text: string; title: string; tooLong: string };

/** A text as a QR code, or the message `tooLong`. */
export function QrCode({ text, title, tooLong }: QrCodeProps) {
  if (Buffer.byteLength(text) > maxBytes) return <p class="small muted">{tooLong}</p>;
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone });
  const size = rows.length;
  return (
    <svg
      class="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={title}
      shape-rendering="crispEdges"
    >
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={rows.flatMap(runs).join('')} fill="#000" />
    </svg>
  );
}

/** The dark modules of a row, one rectangle for each run. */
function runs(modules: boolean[], y: number): string[] {
  const rectangles: string[] = [];
  for (let x = 0; x < modules.length; x++) {
    if (!modules[x]) continue;
    const start = x;
    while (modules[x + 1]) x++;
    rectangles.push(`M${start} ${y}h${x - start + 1}v1H${start}z`);
  }
  return rectangles;
}
