import type { ApiResponse, Reference } from '../../http/openApi.ts';

const errorNames: Record<number, [name: string, description: string]> = {
  400: ['BadRequest', 'The request is malformed, or its root object is missing'],
  401: ['Unauthorized', 'A credential or the passphrase is missing or wrong'],
  403: ['Forbidden', 'Not allowed, or not with this API token'],
  404: ['NotFound', 'There is no such thing'],
  409: ['Conflict', 'It exists already, there are too many, or an earlier request is still in progress'],
  413: ['ContentTooLarge', 'The body or a file is too large'],
  415: ['UnsupportedMediaType', 'The Content-Type or Content-Encoding is not supported'],
  416: ['RangeNotSatisfiable', 'The file does not have this range'],
  422: ['UnprocessableContent', 'Validation failed; every invalid field is named'],
  429: ['TooManyRequests', 'Too many requests; Retry-After says when to try again'],
  503: ['ServiceUnavailable', 'The database is out of reach; nothing was changed, and no view counted'],
};

const headerRef = (name: string): Reference => ({ $ref: `#/components/headers/${name}` });
const requestId = { 'X-Request-Id': headerRef('RequestId') };
const retryAfter = { 'Retry-After': headerRef('RetryAfter') };
const tokenScope = { 'X-Token-Scope': headerRef('TokenScope') };
const rateLimits = { 'RateLimit-Policy': headerRef('RateLimitPolicy'), RateLimit: headerRef('RateLimit') };

/** The responses to errors, by name. */
export const errorResponses: Record<string, ApiResponse> = Object.fromEntries(
  Object.entries(errorNames).map(([status, [name, description]]) => [
    name,
    {
      description,
      headers: { ...requestId, ...(['429', '503'].includes(status) && retryAfter) },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]),
);

/** The headers of every success. */
export const successHeaders = { ...requestId, ...tokenScope, ...rateLimits };

/** Lists and audit logs lead to their next page. */
export const nextPage = { Link: headerRef('Link') };

/** The responses to errors of these statuses, by reference. */
export const errorReferences = (statuses: number[]): Record<string, Reference> =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${errorNames[status]?.[0]}` }]),
  );
