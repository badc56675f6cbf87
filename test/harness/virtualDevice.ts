import type { CDPSession } from 'playwright-core';

type Credential = {
  credentialId: string;
  isResidentCredential: boolean;
  privateKey: string;
  signCount: number;
};

/** A device of Chromium's own, as DevTools attach it (WebAuthn, 11.2). `isKey` if it is a security key that only signs. */
export async function attachDevice(cdp: CDPSession, { isKey = false, hasPrf = false } = {}) {
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: isKey ? 'u2f' : 'ctap2',
      transport: isKey ? 'usb' : 'internal',
      hasResidentKey: !isKey,
      hasUserVerification: !isKey,
      isUserVerified: !isKey,
      hasPrf,
      automaticPresenceSimulation: true,
    },
  });
  const of = { authenticatorId };
  return {
    credentials: async () => (await cdp.send('WebAuthn.getCredentials', of)).credentials,
    /** Copies what another device holds, with the count that it had then. */
    add: (credential: Credential) => cdp.send('WebAuthn.addCredential', { ...of, credential }),
    /** Whether its owner touches it, or lets it know them. */
    setPresence: (enabled: boolean) =>
      cdp.send('WebAuthn.setAutomaticPresenceSimulation', { ...of, enabled }),
    setVerified: (isUserVerified: boolean) => cdp.send('WebAuthn.setUserVerified', { ...of, isUserVerified }),
    remove: () => cdp.send('WebAuthn.removeVirtualAuthenticator', of),
  };
}
