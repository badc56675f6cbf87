import { get, postJson, type Target, textIn } from './target.ts';

/** Yopass. Its clients encrypt: the server checks that a message is armored as PGP does, and stores it as it is. */
export const yopass: Target = {
  create: {
    request: (payload) =>
      postJson('/create/secret', { expiration: 604_800, message: armored(payload), one_time: true }),
    read: (response) => textIn(response, 'message'),
  },
  retrieve: {
    request: (key) => get(`/secret/${key}`),
    read: (response) => textIn(response, 'message'),
  },
};

function armored(content: string): string {
  const lines =
    Buffer.from(content)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN PGP MESSAGE-----', '', ...lines, '-----END PGP MESSAGE-----', ''].join('\n');
}
