import type { Middleware } from 'koa';

const jsonPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What is downloaded may nothing, even where a browser were to show it. */
export const downloadPolicy = `${jsonPolicy}; sandbox`;

/** Headers of every answer; pages relax the content policy to what they need. Nothing is cached unless it says so itself. */
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
  return async ({ res }, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    await next();
  };
}
