// Draws QR codes. The pages that need one load it when they do.
export { default } from 'qr';
