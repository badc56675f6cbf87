import { Router } from '@koa/router';

type Layer = Router['stack'][number];

const options = { sensitive: true, strict: true };

/**
 * A router whose paths are exact: case-sensitive, and without a trailing slash. The library compares a request with every
 * path; this one only with those that begin with the same segment. All routes are added before the first request.
 */
export function createRouter(): Router {
  const router = new Router(options);
  let parts: Map<string | undefined, Router> | undefined;

  function partsBySegment() {
    const segments = new Set(router.stack.map(firstSegment)).add(undefined);
    return new Map([...segments].map((segment) => [segment, partFor(segment)]));
  }

  function partFor(segment: string | undefined): Router {
    const part = new Router(options);
    part.stack = router.stack.filter((layer) => [undefined, segment].includes(firstSegment(layer)));
    return part;
  }

  router.matchHost = () => true; // no router is bound to a host, which Koa would read for each of them
  router.match = (path, method) => {
    parts ??= partsBySegment();
    const part = parts.get(path.split('/', 2)[1]) ?? parts.get(undefined) ?? router;
    return part.match(path, method);
  };
  return router;
}

/** The segment that a path must begin with; undefined for middleware, and where it is a parameter. */
function firstSegment({ name, path, methods }: Layer): string | undefined {
  const template = name ?? path;
  if (methods.length === 0 || typeof template !== 'string') return undefined;
  return /^\/([\w.-]*)(?=\/|$)/.exec(template)?.[1];
}
