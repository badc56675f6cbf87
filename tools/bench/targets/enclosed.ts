import { get, postJson, type Target, textIn } from './target.ts';

/** Enclosed. Its clients encrypt. */
export const enclosed: Target = {
  create: {
    request: (payload) =>
      postJson('/api/notes', {
        payload: Buffer.from(payload).toString('base64url'),
        deleteAfterReading: true,
        ttlInSeconds: 604_800,
        encryptionAlgorithm: 'aes-256-gcm',
        serializationFormat: 'cbor-array',
        isPublic: true,
      }),
    read: (response) => textIn(response, 'noteId'),
  },
  retrieve: {
    request: (noteId) => get(`/api/notes/${noteId}`),
    read: (response) => textIn(response, 'note', 'payload'),
  },
};
