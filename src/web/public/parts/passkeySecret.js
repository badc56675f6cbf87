// Secrets of passkeys (WebAuthn, Level 3, 10.1.4, `prf`): a passkey has the same one for the same salt each time, and nobody else does.
// What a device signs meanwhile goes nowhere, so that the challenge is the browser's own.
import { fromBase64Url } from '../../../client/encryption.js';

/** Whether this browser may have such secrets. Some cannot say. */
export async function knowsSecrets() {
  if (!('PublicKeyCredential' in window)) return false;
  const known = await PublicKeyCredential.getClientCapabilities?.().catch(() => undefined);
  return known?.['extension:prf'] !== false;
}

/**
 * Has the owner use a passkey. Returns its credential id and its secret for a salt, or what kept it from being used: `cancelled`, or
 * `unable` if the browser or the device has no such secrets.
 * @param {any} options as the server writes them, with ids in base64url
 * @param {Uint8Array<ArrayBuffer>} salt
 * @param {{ signal?: AbortSignal }} [how]
 */
export async function askPasskey({ allowCredentials, ...options }, salt, how = {}) {
  const publicKey = {
    ...options,
    challenge: crypto.getRandomValues(new Uint8Array(32)),
    allowCredentials: allowCredentials.map((/** @type {any} */ known) => ({
      ...known,
      id: fromBase64Url(known.id),
    })),
    userVerification: 'required', // a security key has another secret without (CTAP 2.2, hmac-secret)
    extensions: { prf: { eval: { first: salt } } },
  };
  try {
    const used = /** @type {any} */ (await navigator.credentials.get({ ...how, publicKey }));
    const secret = used.getClientExtensionResults().prf?.results?.first;
    return secret?.byteLength === 32 ? { credentialId: used.id, secret: new Uint8Array(secret) } : 'unable';
  } catch (error) {
    const isCancelled =
      error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name);
    return isCancelled ? 'cancelled' : 'unable';
  }
}
