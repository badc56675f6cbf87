import { sign } from 'node:crypto';
import type { App } from './things.ts';

/** How a request deviates from what Discord would send. */
export type Manner = {
  /** Not from Discord: with a wrong, malformed or missing signature. */
  forged?: 'wrong' | 'malformed' | 'absent';
  /** With a body that was changed after signing. */
  tampered?: true;
  /** The offset of the signed timestamp from now. */
  skewSeconds?: number;
};

export type Signed = { text: string; headers: Record<string, string> };

/** https://docs.discord.com/developers/interactions/overview#setting-up-an-endpoint-validating-security-request-headers */
export function signed(app: App, body: unknown, { forged, tampered, skewSeconds = 0 }: Manner): Signed {
  const text = JSON.stringify(body);
  const timestamp = String(Math.floor(Date.now() / 1000) + skewSeconds);
  const signature = sign(null, Buffer.from(timestamp + text), app.privateKey);
  if (forged === 'wrong') signature[0] = (signature[0] ?? 0) ^ 1;
  const shown = forged === 'malformed' ? 'tulip' : signature.toString('hex');
  const headers = {
    'x-signature-timestamp': timestamp,
    ...(forged !== 'absent' && { 'x-signature-ed25519': shown }),
  };
  return { text: tampered ? text.replace(/\}$/, ',"tampered":true}') : text, headers };
}

export function isGenuine({ forged, tampered, skewSeconds = 0 }: Manner): boolean {
  return forged === undefined && !tampered && Math.abs(skewSeconds) <= 300;
}
