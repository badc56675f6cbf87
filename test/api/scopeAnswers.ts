/**
 * What a request gets: an answer with a link that opens a secret, an answer without one, a refusal, that there is no such
 * push, or that the input is invalid.
 */
export type Answer = 'link' | 'yes' | 'no' | 'unknown' | 'invalid';

export const scopes = ['full', 'create', 'read', 'none'] as const;
export type Scope = (typeof scopes)[number];

/** What an API token of each scope gets, and a request without one. */
export type Answers = Record<Scope, Answer>;

const get = (full: Answer, create: Answer, read: Answer, none: Answer): Answers => ({
  full,
  create,
  read,
  none,
});

/** Each operation of the API. */
export const operationAnswers: Record<string, Answers> = {
  'post /p.json': get('link', 'link', 'no', 'link'),
  'post /r.json': get('link', 'link', 'no', 'no'),
  'post /f.json': get('link', 'link', 'no', 'no'),
  'get /p/{url_token}.json': get('link', 'no', 'no', 'link'),
  'get /download/{grant}/{number}': get('yes', 'no', 'no', 'yes'),
  'get /p/{url_token}/preview.json': get('link', 'no', 'yes', 'link'),
  'get /p/active.json': get('link', 'no', 'yes', 'no'),
  'get /p/expired.json': get('link', 'no', 'yes', 'no'),
  'get /p/{url_token}/audit.json': get('yes', 'no', 'yes', 'no'),
  'get /p/{url_token}/audit.csv': get('yes', 'no', 'yes', 'no'),
  'get /p/{url_token}/audit.ndjson': get('yes', 'no', 'yes', 'no'),
  'delete /p/{url_token}.json': get('link', 'yes', 'no', 'no'),
  'post /p/{url_token}/extend.json': get('link', 'no', 'no', 'no'),
  'get /api/v1/requests.json': get('yes', 'no', 'yes', 'no'),
  'post /api/v1/requests.json': get('yes', 'no', 'no', 'no'),
  'delete /api/v1/requests.json': get('yes', 'no', 'no', 'no'),
  'get /api/v1/request-links.json': get('link', 'no', 'yes', 'no'),
  'post /api/v1/request-links.json': get('link', 'no', 'no', 'no'),
  'delete /api/v1/request-links.json': get('link', 'no', 'no', 'no'),
  'get /api/v1/request-links/answers.json': get('link', 'no', 'yes', 'no'),
  'get /a/{url_token}.json': get('yes', 'yes', 'yes', 'yes'),
  'post /a/{url_token}.json': get('yes', 'yes', 'yes', 'yes'),
  'get /api/v1/webhooks.json': get('yes', 'no', 'no', 'no'),
  'post /api/v1/webhooks.json': get('yes', 'no', 'no', 'no'),
  'delete /api/v1/webhooks.json': get('yes', 'no', 'no', 'no'),
  'get /api/v1/webhooks/deliveries.json': get('yes', 'no', 'no', 'no'),
  'post /api/v1/webhooks/test.json': get('yes', 'no', 'no', 'no'),
  'post /api/v1/webhooks/redeliver.json': get('yes', 'no', 'no', 'no'),
  'post /api/v1/webhooks/secret.json': get('yes', 'no', 'no', 'no'),
  'post /api/v1/webhooks/types.json': get('yes', 'no', 'no', 'no'),
  'get /api/v1/trust-rules.json': get('yes', 'no', 'no', 'no'),
  'post /api/v1/trust-rules.json': get('yes', 'no', 'no', 'no'),
  'delete /api/v1/trust-rules.json': get('yes', 'no', 'no', 'no'),
  'get /api/v1/account/security.json': get('yes', 'no', 'no', 'no'),
  'get /api/v1/account/identities.json': get('yes', 'no', 'no', 'no'),
  'get /api/v1/version.json': get('yes', 'yes', 'yes', 'yes'),
};

/** The same operations in other ways. */
export const otherAnswers = {
  'the headers of a push': get('yes', 'no', 'yes', 'yes'),
  'a push, by its SHA-256': get('unknown', 'no', 'no', 'unknown'),
  'the headers of a push, by its SHA-256': get('unknown', 'no', 'unknown', 'unknown'),
  'the page of a push, by its SHA-256': get('unknown', 'unknown', 'unknown', 'unknown'),
  'a preview, by the SHA-256': get('link', 'no', 'yes', 'unknown'),
  'a preview, by the link of a recipient': get('link', 'no', 'yes', 'link'),
  'a preview, by the SHA-256 of a recipient’s link': get('unknown', 'no', 'unknown', 'unknown'),
  'a preview, by the SHA-256 of somebody else’s push': get('unknown', 'no', 'unknown', 'unknown'),
  'a preview, by the SHA-256 of nobody’s push': get('unknown', 'no', 'unknown', 'unknown'),
  'an audit log, by the SHA-256': get('yes', 'no', 'yes', 'no'),
  'an audit log in CSV, by the SHA-256': get('yes', 'no', 'yes', 'no'),
  'an audit log in NDJSON, by the SHA-256': get('yes', 'no', 'yes', 'no'),
  'an audit log, by the SHA-256 of somebody else’s push': get('unknown', 'no', 'unknown', 'no'),
  'an audit log of somebody else’s push': get('no', 'no', 'no', 'no'),
  'an expiry, by the SHA-256': get('link', 'yes', 'no', 'unknown'),
  'an expiry of a push that another token created': get('link', 'no', 'no', 'no'),
  'an expiry of a push that another token created, by the SHA-256': get('link', 'no', 'no', 'unknown'),
  'an expiry that viewers may do, of a push that another token created': get('link', 'no', 'no', 'link'),
  'an expiry by the SHA-256 of a recipient’s link': get('unknown', 'unknown', 'no', 'unknown'),
  'an extension, by the SHA-256': get('link', 'no', 'no', 'no'),
  'a list of a second page': get('link', 'no', 'yes', 'no'),
  'a list with a next page': get('link', 'no', 'yes', 'no'),
  'a search for a name': get('link', 'no', 'yes', 'no'),
  'a search for a part of a link': get('link', 'no', 'yes', 'no'),
  'a search for a recipient': get('link', 'no', 'yes', 'no'),
  'a list of requests, with a link in the reason of one': get('link', 'no', 'yes', 'no'),
  'a creation that is repeated': get('link', 'link', 'no', 'link'),
  'a creation that is refused': get('invalid', 'invalid', 'no', 'invalid'),
  'a list whose page is wrong': get('invalid', 'no', 'invalid', 'no'),
} satisfies Record<string, Answers>;

/** Each tool for assistants; pushes are named by their ids. */
export const toolAnswers: Record<string, Answers> = {
  create_push: get('link', 'link', 'no', 'link'),
  list_pushes: get('yes', 'no', 'yes', 'no'),
  preview_push: get('yes', 'no', 'yes', 'yes'),
  push_activity: get('yes', 'no', 'yes', 'no'),
  expire_push: get('yes', 'yes', 'no', 'no'),
  request_secret: get('yes', 'no', 'no', 'no'),
  create_request_link: get('link', 'no', 'no', 'no'),
  list_request_links: get('yes', 'no', 'yes', 'no'),
  list_answers: get('yes', 'no', 'yes', 'no'),
  close_request_link: get('yes', 'no', 'no', 'no'),
};
