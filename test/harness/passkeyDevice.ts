import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Domain, SignedIn } from '../../src/domain/index.ts';
import { someClient } from './service.ts';

type Made = { id: Buffer; rpId: string; privateKey: KeyObject; count: number };
type Options = { rp?: { id: string }; rpId?: string; allowCredentials?: { id: string }[] };

/** What a device, or the browser before it, does otherwise than it should. */
type Manner = {
  origin?: string;
  type?: string;
  crossOrigin?: boolean;
  rpId?: string;
  /** Whether it makes sure who its owner is, that somebody is there, and that there are copies. */
  verifies?: boolean;
  isPresent?: boolean;
  isBackedUp?: boolean;
  /** What it says how often the passkey was used. */
  count?: number;
};

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

export type PasskeyDevice = ReturnType<typeof openDevice>;

/** A device of somebody with its browser at a site, as WebAuthn (Level 3) describes them. Both answer in JSON, as our pages send it. */
export function openDevice(site: string, manners: Manner = {}) {
  const made: Made[] = [];

  const clientData = (type: string, challenge: string, how: Manner) =>
    Buffer.from(
      JSON.stringify({
        type: how.type ?? type,
        challenge,
        origin: how.origin ?? site,
        ...(how.crossOrigin && { crossOrigin: true }),
      }),
    );

  function authenticatorData(rpId: string, how: Manner, count: number, attested?: Buffer): Buffer {
    const { verifies = true, isPresent = true, isBackedUp = false } = how;
    const flags =
      (isPresent ? 1 : 0) |
      (verifies ? 4 : 0) |
      (isBackedUp ? 8 | 16 : 0) |
      (attested === undefined ? 0 : 64);
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags, 0);
    tail.writeUInt32BE(count, 1);
    return Buffer.concat([sha256(how.rpId ?? rpId), tail, attested ?? Buffer.alloc(0)]);
  }

  /** Creates a passkey, and says so. */
  function create(options: Options, challenge: string, manner: Manner = {}): string {
    const how = { ...manners, ...manner };
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const one = { id: randomBytes(32), rpId: String(options.rp?.id), privateKey, count: 0 };
    made.push(one);
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const key = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'), // ES256 on P-256 (RFC 9053, 2.1)
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, one.id.length]), one.id, key]);
    const data = authenticatorData(one.rpId, how, how.count ?? 0, attested);
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'), // {fmt: none, attStmt: {}, authData
      Buffer.from([0x58, data.length]),
      data,
    ]);
    return JSON.stringify({
      id: one.id.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON: clientData('webauthn.create', challenge, how).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal', 'hybrid'],
      },
    });
  }

  /** Answers with the passkey that was asked for, or with the last one of the site. */
  function get(options: Options, challenge: string, manner: Manner = {}): string {
    const how = { ...manners, ...manner };
    const wanted = options.allowCredentials ?? [];
    const one = made.findLast(
      ({ id, rpId }) =>
        rpId === options.rpId &&
        (wanted.length === 0 || wanted.some((each) => each.id === id.toString('base64url'))),
    );
    if (one === undefined) throw new Error('the device has no such passkey');
    one.count += 1;
    const data = authenticatorData(one.rpId, how, how.count ?? one.count);
    const browser = clientData('webauthn.get', challenge, how);
    const signature = sign('sha256', Buffer.concat([data, sha256(browser)]), one.privateKey);
    return JSON.stringify({
      id: one.id.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON: browser.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    });
  }

  return { create, get };
}

/** Adds a passkey to an account. Returns recovery codes, if it is the first factor. */
export async function addPasskey(
  { factors, passkeys }: Pick<Domain, 'factors' | 'passkeys'>,
  signedIn: SignedIn,
  device: PasskeyDevice,
  { name = 'Laptop', browser = 'a browser' } = {},
): Promise<string[]> {
  const options = await factors.beginPasskey(signedIn);
  const passkey = device.create(options, await passkeys.challenge(browser));
  return factors.addPasskey(signedIn, { name, passkey, browser }, someClient);
}
