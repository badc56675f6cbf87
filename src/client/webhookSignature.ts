/** An event of a push, as a webhook receives it. It never contains a link or a secret. */
export type WebhookEvent = {
  type: string;
  timestamp: string;
  data: {
    /** The SHA-256 of the url token, in hexadecimal. */
    url_token_sha256: string;
    name: string | null;
    kind: string;
    views_total: number;
    views_used: number;
    times: number;
    created_at: string;
    expires_at: string;
    /** Who used these views, if all came through the links of recipients. */
    opened_by?: { id: string; name: string | null }[];
    reason?: string;
  };
};

/** A request to a webhook that hushpush did not sign, or not recently. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

type HeaderSource = Headers | Record<string, string | string[] | undefined>;

const toleranceSeconds = 300;

/**
 * Checks the signature of a request to a webhook (Standard Webhooks), and returns its event. `body` is the text of the
 * request before it is parsed. Throws a SignatureError. An event can arrive twice: its `webhook-id` is then the same.
 */
export async function verifyWebhook(
  secret: string,
  headers: HeaderSource,
  body: string,
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw new SignatureError('The request is not signed.');
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds))
    throw new SignatureError('The request was signed more than five minutes ago, or in the future.');
  const key = await crypto.subtle.importKey(
    'raw',
    fromBase64(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(' ')) {
    const [version, text = ''] = signature.split(',');
    // WebCrypto compares in constant time.
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, fromBase64(text), signed)))
      return JSON.parse(body) as WebhookEvent;
  }
  throw new SignatureError('The signature is wrong.');
}

function headerOf(headers: HeaderSource, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : undefined;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw new SignatureError('The secret or the signature is not Base64.');
  }
}
