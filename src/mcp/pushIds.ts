import type { ListEntry } from '../client/client.ts';

/**
 * Names pushes by the SHA-256 of their url tokens, which opens nothing. A server that does not know pushes by it gets the url
 * tokens that it has shown before.
 */
export function createPushIds() {
  const urlTokens = new Map<string, string>();

  /** Null if the server cannot read the link itself. */
  async function idOf({ url_token, url_token_sha256 }: Partial<ListEntry>): Promise<string | null> {
    if (typeof url_token_sha256 === 'string') return url_token_sha256;
    if (typeof url_token !== 'string') return null;
    const id = await sha256(url_token);
    urlTokens.set(id, url_token);
    return id;
  }

  /** What the client calls the push of an id, or of a link. */
  const nameOf = (push: string): string => urlTokens.get(push) ?? push;

  return { idOf, nameOf };
}

export type PushIds = ReturnType<typeof createPushIds>;

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
