import { Router } from '@koa/router';
import { expect } from 'chai';
import { createRouter } from '../../src/http/router.ts';

const handle = () => {};

/** Adds routes of every form that the API and the pages have. */
function addRoutes(router: Router): Router {
  router.use(handle);
  router.get('/', handle);
  router.get(['/livez', '/up'], handle);
  router.post('/p.json', handle);
  router.get('/p/active.json', handle);
  router.get('/p/:token.json', /^\/p\/(?!active\.json$)([^/]+)\.json$/, handle);
  router.get('/p/:token/audit.json', handle);
  router.get('/p/:token', handle);
  router.post('/p/:token', handle);
  router.get(/^\/[a-z]{2}\/p\/new$/, handle);
  router.get('/f/:token/:name', handle);
  router.get('/f/:token/list.csv', handle);
  router.get('/:name/from/any', handle);
  router.get('/.well-known/change-password', handle);
  return router;
}

const paths = [
  ...[
    '/',
    '',
    '//',
    '/up',
    '/up/',
    '/UP',
    '/p.json',
    '/p.json/',
    '/p',
    '/p/',
    '/p/active.json',
    '/p/abc.json',
  ],
  ...[
    '/p/abc/audit.json',
    '/p/abc',
    '/de/p/new',
    '/p/from/any',
    '/x/from/any',
    '/.well-known/change-password',
  ],
  ...['/%70.json', '/constructor', '/__proto__', '/p.json/../p', '/unknown'],
  ...[
    '/p/abc.JSON',
    '/p/abc.',
    '/p/a.b/c',
    '/f/abc/x.json',
    '/f/abc/x.unknown',
    '/f/abc/list.csv',
    '/f/abc/x',
  ],
];

describe('A router', () => {
  it('finds the same routes, in the same order, as if it had compared the request with each of them', () => {
    const [router, plain] = [createRouter(), new Router({ sensitive: true, strict: true })].map(addRoutes);
    const found = (from: Router | undefined, path: string, method: string) => {
      const { route, ...layers } = from?.match(path, method) ?? expect.fail('no router');
      const templates = (list: { name?: string | undefined; path: unknown }[]) =>
        list.map(({ name, path: of }) => name ?? String(of));
      return { route, path: templates(layers.path), both: templates(layers.pathAndMethod) };
    };
    for (const path of paths)
      for (const method of ['GET', 'POST', 'DELETE'])
        expect(found(router, path, method), `${method} ${path}`).to.deep.equal(found(plain, path, method));
    expect(found(router, '/p/from/any', 'GET').both).to.include('/:name/from/any');
  });
});
