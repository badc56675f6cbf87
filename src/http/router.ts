import { Router } from '@koa/router';
import type { Context, Middleware, Next } from 'koa';

type Layer = Router['stack'][number];

const options = { sensitive: true, strict: true };

/**
 * A router whose paths are exact: case-sensitive, and without a trailing slash. The library compares a request with every
 * path, and puts together what it passes each time. This one compares it only with those that begin with the same segment,
 * and end in the same extension or in none, and keeps what each of its routes passes: all `use`, which take no path here, and
 * its own middleware. All routes are added before the first request.
 */
export function createRouter(): Router {
  const router = new Router(options);
  const chains = new Map<Layer, Middleware>();
  let parts: Map<string | undefined, Map<string | undefined, Router>> | undefined;

  function partsOf(layers: Layer[]) {
    return divided(layers, firstSegment, (beginning) =>
      divided(beginning, extension, (part) => Object.assign(new Router(options), { stack: part })),
    );
  }

  router.match = (path, method) => {
    parts ??= partsOf(router.stack);
    const bySegment = partFor(parts, path.split('/', 2)[1]);
    return partFor(bySegment, extensionIn(path)).match(path, method);
  };

  function chainOf(route: Layer): Middleware {
    const known = chains.get(route);
    if (known !== undefined) return known;
    const chain = inOrder([...router.stack.filter(isShared), route]);
    chains.set(route, chain);
    return chain;
  }

  const dispatch: Middleware = (ctx, next) => {
    const { path, pathAndMethod } = router.match(ctx.path, ctx.method);
    if (path.length > 0) ctx.matched = [...(ctx.matched ?? []), ...path];
    const route = pathAndMethod.find((layer) => !isShared(layer));
    if (route === undefined) return next();
    ctx.router = router;
    ctx.captures = route.captures(ctx.path);
    ctx.params = route.params(ctx.path, ctx.captures, {});
    ctx._matchedRoute = route.path;
    ctx._matchedRouteName = route.name;
    return chainOf(route)(ctx, next);
  };
  router.routes = () => Object.assign(dispatch, { router });
  return router;
}

/** Whether a layer belongs to all routes. */
const isShared = ({ methods }: Layer): boolean => methods.length === 0;

/** The middleware of layers as one. */
function inOrder(layers: Layer[]): Middleware {
  const steps = layers.flatMap(({ stack }) => stack) as Middleware[];
  const run = (at: number, ctx: Context, next: Next): Promise<unknown> =>
    at === steps.length ? next() : steps[at]?.(ctx, () => run(at + 1, ctx, next));
  return (ctx, next) => run(0, ctx, next);
}

/** Layers by what they need of a path, each part with those that need nothing. Undefined stands for those alone. */
function divided<Part>(
  layers: Layer[],
  needOf: (layer: Layer) => string | undefined,
  toPart: (layers: Layer[]) => Part,
): Map<string | undefined, Part> {
  const needs = new Set([undefined, ...layers.map(needOf)]);
  const partOf = (need: string | undefined) =>
    toPart(layers.filter((layer) => [undefined, need].includes(needOf(layer))));
  return new Map([...needs].map((need) => [need, partOf(need)]));
}

function partFor<Part>(parts: Map<string | undefined, Part>, found: string | undefined): Part {
  return parts.get(found) ?? (parts.get(undefined) as Part);
}

/** The template of a route; undefined for middleware, and for patterns without one. */
function templateOf({ name, path, methods }: Layer): string | undefined {
  const template = name ?? path;
  return methods.length === 0 || typeof template !== 'string' ? undefined : template;
}

/** The segment that a path must begin with; undefined where it is a parameter. */
const firstSegment = (layer: Layer): string | undefined =>
  /^\/([\w.-]*)(?=\/|$)/.exec(templateOf(layer) ?? '')?.[1];

/** The extension that a path must end in; undefined where none stands in the template. */
const extension = (layer: Layer): string | undefined => extensionIn(templateOf(layer) ?? '');

const extensionIn = (path: string): string | undefined => /\.(\w+)$/.exec(path)?.[1];
