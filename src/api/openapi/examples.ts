/** What the examples of the API create, as JSON. */
export const pushExample = {
  password: { payload: 'correct horse battery staple', expire_after_days: 3, expire_after_views: 1 },
};

export const webhookExample = { webhook: { url: 'https://example.com/hushpush' } };

export const webhookTypesExample = { webhook: { types: ['push.viewed', 'push.expired'] } };

export const requestExample = { request: { from: 'slack:T0123ABCD:U0456EFGH', reason: 'The VPN' } };

/** A url token as the samples write it. */
export const exampleToken = '5f3k9q2m7w8x1c4v6b0n5z3j9h';

/** The id of a webhook as the samples write it. */
export const exampleWebhookId = '0192f3a4b5c67d8e9fa0b1c2d3e4f506';

/** The id of a request as the samples write it. */
export const exampleRequestId = '0193a4b5c6d78e9f8ab1c2d3e4f50617';

/** The id of a delivery as the samples write it. */
export const exampleDeliveryId = 'notice_0198c1f2a7e17c3f9d0b8a6c5e4d3f21';

/** The push that the example creates, as the service at `baseUrl` presents it. */
export function createdExample(baseUrl: string) {
  return {
    url_token: exampleToken,
    html_url: `${baseUrl}/p/${exampleToken}`,
    json_url: `${baseUrl}/p/${exampleToken}.json`,
    created_at: '2026-01-01T01:00:00.000Z',
    expires_at: '2026-01-04T01:00:00.000Z',
    views_remaining: 1,
    views_total: 1,
    files: [],
    passphrase: null,
    name: null,
    note: null,
    expire_after_days: 3,
    expire_after_views: 1,
    days_remaining: 3,
    expired: false,
    expired_on: null,
    deleted: false,
    deletable_by_viewer: true,
    retrieval_step: true,
    kind: 'text',
    updated_at: '2026-01-01T01:00:00.000Z',
  };
}

/** The same push when it was viewed. */
export function revealedExample(baseUrl: string) {
  return {
    ...createdExample(baseUrl),
    views_remaining: 0,
    updated_at: '2026-01-02T09:30:00.000Z',
    payload: pushExample.password.payload,
  };
}

export const auditExample = {
  views: [
    {
      ip: '192.0.2.7',
      user_agent: 'curl/8.14.1',
      referrer: '',
      created_at: '2026-01-02T09:30:00.000Z',
      updated_at: '2026-01-02T09:30:00.000Z',
      kind: 'view',
      successful: true,
    },
  ],
};
