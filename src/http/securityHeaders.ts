import type { Middleware } from 'koa';

const jsonPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A download may do nothing, even if a browser displayed it. */
export const downloadPolicy = `${jsonPolicy}; sandbox`;

/**
 * An image of the operator: opened as a page of its own, an SVG runs and loads nothing. Its styles apply, since some browsers
 * ask for that in an <img>, too.
 */
export const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The headers of every response. Pages relax the content policy as needed; nothing is cached unless its route says so. */
export function securityHeaders(baseUrl: string): Middleware {
  const headers = Object.entries({
    'Content-Security-Policy': jsonPolicy,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex, nofollow, noarchive',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    ...(baseUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  });
  return ({ res }, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    return next();
  };
}
