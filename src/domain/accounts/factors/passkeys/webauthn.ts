import { isIP } from 'node:net';
import type { RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server';
import { z } from 'zod';
import { DomainError } from '../../../../errors.ts';
import type { PasskeyRow } from '../tables.ts';
import { challengeMs } from './challenges.ts';

/* What WebAuthn (Level 3) says. Nothing here knows of accounts, and the library is loaded for those who use it. */

/** Whose passkeys they are: those of a host, whatever its port and path (5.1.2). Pages have the origin. */
export type RelyingParty = { id: string; origin: string };

/** Why browsers know no passkeys at an address: it is neither https nor this machine, or it has a number for a name. */
export type PasskeyObstacle = 'insecure' | 'ipAddress';

/** Whom a device creates a passkey for. */
type NewUser = { handle: Buffer; name: string };

type Described = Pick<PasskeyRow, 'credentialId' | 'transports'>;

type Transports = NonNullable<RegistrationResponseJSON['response']['transports']>;
const transportNames: Transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/** EdDSA, ES256 and RS256, which is every device (RFC 9053). */
const algorithms = [-8, -7, -257];

/** Who the service at an address is to devices. */
export function relyingPartyAt(url: string): RelyingParty {
  const { hostname, origin } = new URL(url);
  return { id: hostname, origin };
}

/** What keeps passkeys from working at an address (Secure Contexts, 3.1; WebAuthn, 5.1.3). */
export function maybeObstacleAt(url: string): PasskeyObstacle | undefined {
  const { hostname, protocol } = new URL(url);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return 'ipAddress';
  return protocol === 'https:' || /^(.+\.)?localhost$/.test(hostname) ? undefined : 'insecure';
}

/** What a browser creates a passkey by, but for the challenge, which is asked for when it does. Devices that have one are left out. */
export const creationOptions = ({ id }: RelyingParty, { handle, name }: NewUser, known: Described[]) => ({
  rp: { id, name: 'hushpush' },
  user: { id: handle.toString('base64url'), name, displayName: name },
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
  excludeCredentials: known.map(descriptorOf),
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  attestation: 'none',
  extensions: { prf: {} }, // security keys then have secrets, too (10.1.4)
  timeout: challengeMs,
});

/** What a browser asks for a passkey by, but for the challenge. Without `known`, its owner chooses one of the host. */
export const requestOptions = ({ id }: RelyingParty, known?: Described[]) => ({
  rpId: id,
  allowCredentials: (known ?? []).map(descriptorOf),
  userVerification: known === undefined ? 'required' : 'preferred',
  timeout: challengeMs,
});

const descriptorOf = ({ credentialId, transports }: Described) => ({
  type: 'public-key',
  id: credentialId.toString('base64url'),
  transports: transports.split(',').filter((name) => name !== ''),
});

const base64url = z.string().regex(/^[\w-]+$/);
const credential = { id: base64url.max(1_364), type: z.literal('public-key') };
const creationSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string()).optional(),
  }),
});
const assertionSchema = z.object({
  ...credential,
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
});
const clientDataSchema = z.object({
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
});

/** What a browser answers, and for which challenge. */
type Answer<Read> = Read & { challenge: string };
type Creation = Answer<z.infer<typeof creationSchema>>;
export type Assertion = Answer<z.infer<typeof assertionSchema>>;

/** Reads what a browser created, as JSON. Throws like `readAssertion`. */
export const readCreation = (party: RelyingParty, given: string): Creation =>
  read(party, creationSchema, given);

/** Reads what a browser answers, as JSON. Throws `unauthenticated` for one of another site, and for one that is none. */
export const readAssertion = (party: RelyingParty, given: string): Assertion =>
  read(party, assertionSchema, given);

function read<Read extends { response: { clientDataJSON: string } }>(
  party: RelyingParty,
  schema: z.ZodType<Read>,
  given: string,
): Answer<Read> {
  const answer = schema.safeParse(maybeJson(given)).data;
  if (answer === undefined) throw rejected();
  const text = Buffer.from(answer.response.clientDataJSON, 'base64url').toString();
  const clientData = clientDataSchema.safeParse(maybeJson(text)).data;
  if (clientData === undefined) throw rejected();
  const { challenge, origin, crossOrigin = false } = clientData;
  if (origin !== party.origin || crossOrigin)
    throw new DomainError('unauthenticated', 'passkeyElsewhere', { values: { address: party.origin } });
  return { ...answer, challenge };
}

function maybeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is kept of a passkey that a device has just created. Throws `unauthenticated` if it is not right (7.1). */
export async function verifyCreation(
  { id: rpId, origin }: RelyingParty,
  { challenge, response, ...answer }: Creation,
): Promise<Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'transports' | 'signCount' | 'backedUp'>> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const transports = transportNames.filter((name) => response.transports?.includes(name));
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...answer,
      rawId: answer.id,
      response: { ...response, transports },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    supportedAlgorithmIDs: algorithms,
    requireUserVerification: false,
  }).catch(refuse);
  if (!verified) throw rejected();
  const { credential: created, credentialBackedUp } = registrationInfo;
  return {
    credentialId: Buffer.from(created.id, 'base64url'),
    publicKey: Buffer.from(created.publicKey),
    transports: transports.join(),
    signCount: created.counter,
    backedUp: credentialBackedUp,
  };
}

/**
 * What a device says with a passkey, once its signature is right (7.2); `isUserVerified` if it made sure by a finger, a face or
 * a PIN who uses it. Throws `unauthenticated` otherwise. Knows nothing of earlier uses.
 */
export async function verifyAssertion(
  { id: rpId, origin }: RelyingParty,
  { challenge, ...answer }: Assertion,
  { credentialId, publicKey }: Pick<PasskeyRow, 'credentialId' | 'publicKey'>,
): Promise<Pick<PasskeyRow, 'signCount' | 'backedUp'> & { isUserVerified: boolean }> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const known: WebAuthnCredential = {
    id: credentialId.toString('base64url'),
    publicKey: new Uint8Array(publicKey),
    counter: 0, // it is compared where it is stored
  };
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...answer, rawId: answer.id, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: known,
    requireUserVerification: false,
  }).catch(refuse);
  if (!verified) throw rejected();
  const { newCounter: signCount, credentialBackedUp: backedUp, userVerified } = authenticationInfo;
  return { signCount, backedUp, isUserVerified: userVerified };
}

const rejected = (cause?: unknown) => new DomainError('unauthenticated', 'passkeyRejected', { cause });

/** Whatever a browser sends that is not right, the library throws: CBOR, keys and flags that make no sense. */
function refuse(cause: unknown): never {
  throw rejected(cause);
}
