import { get, postJson, type Target, textIn } from './target.ts';

/** SnapPass, API version 2. */
export const snapPass: Target = {
  create: {
    request: (password) => postJson('/api/v2/passwords', { password, ttl: 604_800 }),
    read: (response) => textIn(response, 'token'),
  },
  retrieve: {
    request: (token) => get(`/api/v2/passwords/${encodeURIComponent(token)}`),
    read: (response) => textIn(response, 'password'),
  },
};
