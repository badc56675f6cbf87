import { Router } from '@koa/router';
import { expect } from 'chai';
import type { Context, Middleware } from 'koa';
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

type Request = Pick<Context, 'path' | 'method'>;

/** What of a request goes through a router, in its order. */
async function passed(router: Router, request: Request, ctx = {} as Context): Promise<string[]> {
  const steps: string[] = [];
  Object.assign(ctx, request, { steps });
  await router.routes()(ctx as Parameters<ReturnType<Router['routes']>>[0], async () => steps.push('next'));
  return steps;
}

const step =
  (name: string): Middleware =>
  (ctx, next) => {
    ctx.steps.push(name);
    return next();
  };
const last =
  (name: string): Middleware =>
  ({ steps, params, captures }) =>
    void steps.push(`${name} ${JSON.stringify([params, captures])}`);

describe('A router', () => {
  it('passes a request through what all routes share, then through its own, and no further', async () => {
    const router = createRouter();
    router.use(step('shared'));
    router.get('/p/:token/audit.json', step('own'), last('audit'));
    router.post('/p/:token.json', /^\/p\/([^/]+)\.json$/, last('one'));
    router.use(step('shared, too'));
    const ctx = {} as Context;
    expect(await passed(router, { method: 'GET', path: '/p/a/audit.json' }, ctx)).to.deep.equal([
      ...['shared', 'shared, too', 'own'],
      'audit [{"token":"a"},["a"]]',
    ]);
    expect(ctx._matchedRoute).to.equal('/p/:token/audit.json');
    expect(ctx.router).to.equal(router);
    expect(await passed(router, { method: 'POST', path: '/p/b.json' }, ctx)).to.deep.equal([
      ...['shared', 'shared, too'],
      'one [{},["b"]]',
    ]);
    expect(ctx._matchedRouteName).to.equal('/p/:token.json');
  });

  it('leaves a request that has no route here to what comes next, with the methods of its path', async () => {
    const router = createRouter();
    router.use(step('shared'));
    router.get('/p/:token', last('page'));
    const ctx = {} as Context;
    for (const request of [
      { method: 'GET', path: '/q/a' },
      { method: 'DELETE', path: '/p/a' },
    ])
      expect(await passed(router, request, ctx), request.path).to.deep.equal(['next']);
    expect(ctx.matched.flatMap(({ methods }: { methods: string[] }) => methods)).to.deep.equal([
      'HEAD',
      'GET',
    ]);
  });

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
