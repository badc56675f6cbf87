import { get, postJson, type Step, type Target, textIn } from './target.ts';

const passphrase = 'correct horse battery';
const views = 5;

/** The step that creates what browsers open, after programs have viewed everything. */
export const again = 'create again';

/** Creates and retrieves over the JSON API, which is that of Password Pusher, version 1. */
export const jsonApi: Target = {
  create: createPush({ expire_after_views: views }),
  retrieve: {
    times: views,
    request: (token) => get(`/p/${token}.json`),
    read: (response) => textIn(response, 'payload'),
  },
};

/** The same with a passphrase, which is hashed on creation and on each retrieval. */
export const withPassphrase: Target = {
  create: createPush({ expire_after_views: views, passphrase }),
  retrieve: {
    times: views,
    request: (token) => get(`/p/${token}.json?passphrase=${encodeURIComponent(passphrase)}`),
    read: (response) => textIn(response, 'payload'),
  },
};

/** Creates and retrieves secrets that work once, as most people's do. */
export const once = {
  create: createPush({ expire_after_views: 1 }),
  retrieve: {
    request: (token) => get(`/p/${token}.json`),
    read: (response) => textIn(response, 'payload'),
  },
} satisfies Target;

/** What a browser does: it opens the page, which counts no view, and sends the form on it. */
export const pages = {
  create: once.create,
  open: {
    request: (token) => get(`/p/${token}`),
    read({ head, body }, token) {
      const nonce = /name="nonce" value="([^"]+)"/.exec(body)?.[1];
      const cookie = /^set-cookie: ([^;\r]+)/im.exec(head)?.[1];
      return nonce && cookie && JSON.stringify({ token, nonce, cookie });
    },
  },
  reveal: {
    request(item) {
      const { token, nonce, cookie } = JSON.parse(item) as Record<string, string>;
      return {
        method: 'POST',
        path: `/p/${token}`,
        headers: {
          cookie: String(cookie),
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
        },
        body: String(new URLSearchParams({ nonce: String(nonce), held: 'yes' })),
      };
    },
    read: ({ status, body }) => (status === 200 && body.includes('id="secret"') ? 'revealed' : undefined),
  },
} satisfies Target;

/** What a program does, and right after it what a browser does: the same machine a minute later can be slower by a third. */
export const visits = {
  ...once,
  [again]: pages.create,
  open: pages.open,
  reveal: pages.reveal,
} satisfies Target;

function createPush(settings: Record<string, unknown>): Step {
  return {
    request: (payload) => postJson('/p.json', { password: { payload, ...settings } }),
    read: (response) => textIn(response, 'url_token'),
  };
}
