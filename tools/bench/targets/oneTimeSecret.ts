import { postJson, type Target, textIn } from './target.ts';

/** OneTimeSecret, API version 2, as a guest. */
export const oneTimeSecret: Target = {
  create: {
    request: (secret) =>
      postJson('/api/v2/guest/secret/conceal', {
        secret: { kind: 'conceal', secret, ttl: 604_800, share_domain: '' },
      }),
    read: (response) => textIn(response, 'record', 'secret', 'identifier'),
  },
  retrieve: {
    request: (identifier) =>
      postJson(`/api/v2/guest/secret/${identifier}/reveal`, { continue: 'true', passphrase: '' }),
    read: (response) => textIn(response, 'record', 'secret_value'),
  },
};
