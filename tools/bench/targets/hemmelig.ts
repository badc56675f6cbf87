import { postJson, type Target, textIn } from './target.ts';

/** Hemmelig, from version 7 on. Its clients encrypt, and send the bytes as an object of numbers. */
export const hemmelig: Target = {
  create: {
    request: (payload) =>
      postJson('/api/secrets', {
        secret: asBytes(payload),
        title: asBytes('bench'),
        salt: 'bench-bench-bench',
        expiresAt: 604_800,
        views: 1,
        isBurnable: true,
      }),
    read: (response) => textIn(response, 'id'),
  },
  retrieve: {
    request: (id) => postJson(`/api/secrets/${id}`, {}),
    read: (response) => textIn(response, 'id') ?? (response.status === 200 ? 'retrieved' : undefined),
  },
};

const asBytes = (text: string) => ({ ...Buffer.from(text) });
