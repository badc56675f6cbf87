import { Router } from '@koa/router';

/** A router whose paths are exact: case-sensitive, and without a trailing slash. */
export function createRouter(): Router {
  return new Router({ sensitive: true, strict: true });
}
