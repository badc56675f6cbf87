import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Keyring } from './keyring.ts';

/** What a seal says: everything is as it was sealed, it was changed, or another pepper sealed it. */
export type SealCheck = 'genuine' | 'changed' | 'otherPepper';

const prefix = 'hmac-sha256';

/** The key of backups: HKDF-SHA256 of the pepper, which outlives rotations of the master keys. */
const sealKey = ({ pepper }: Pick<Keyring, 'pepper'>): Buffer =>
  Buffer.from(hkdfSync('sha256', pepper, '', 'hushpush backup seal', 32));

/** Tells keys apart, and reveals nothing of them. */
const keyIdOf = (key: Buffer) => createHmac('sha256', key).update('key id').digest('hex').slice(0, 16);

const macOf = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('hex');

/** The seal of a text, as one line: the id of the key, and the HMAC-SHA256 of the text. */
export function sealText(keyring: Pick<Keyring, 'pepper'>, text: string): string {
  const key = sealKey(keyring);
  return `${prefix} ${keyIdOf(key)} ${macOf(key, text)}\n`;
}

export function checkSeal(keyring: Pick<Keyring, 'pepper'>, text: string, seal: string): SealCheck {
  const key = sealKey(keyring);
  const [, keyId, mac = ''] = /^hmac-sha256 ([0-9a-f]{16}) ([0-9a-f]{64})\n$/.exec(seal) ?? [];
  if (keyId === undefined) return 'changed';
  if (keyId !== keyIdOf(key)) return 'otherPepper';
  return timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(key, text))) ? 'genuine' : 'changed';
}
