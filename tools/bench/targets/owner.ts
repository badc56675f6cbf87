import { get, type Step, type Target } from './target.ts';

/** Who asks: a session of the pages, and a token of the API. */
type Credentials = { session: string; token: string };

export const ownerItem = (credentials: Credentials): string => JSON.stringify(credentials);

/** What the owner of many pushes reads: one page each. */
export const ownerPages: Target = {
  dashboard: page('/pushes'),
  'page 200': page('/pushes?page=200'),
  'soonest end': page('/pushes?sort=ends_soonest'),
  'none has the state': page('/pushes?state=expired'),
  'none is of the kind': page('/pushes?kind=qr'),
  'search, found': page('/pushes?search=push'),
  'search, not found': page('/pushes?search=nothing'),
  'API, list': api('/p/active.json'),
  'API, search, not found': api('/p/active.json?search=nothing'),
};

function page(path: string): Step {
  return {
    request: (item) => get(path, { cookie: `hushpush-session=${credentialsIn(item).session}` }),
    read: ({ status, body }, item) => (status === 200 && body.includes('</html>') ? item : undefined),
  };
}

function api(path: string): Step {
  return {
    request: (item) => get(path, { authorization: `Bearer ${credentialsIn(item).token}` }),
    read: ({ status, body }, item) => (status === 200 && body.startsWith('[') ? item : undefined),
  };
}

const credentialsIn = (item: string) => JSON.parse(item) as Credentials;
