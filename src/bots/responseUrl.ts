const timeoutMs = 5_000;

/** Posts to the URL that a chat gave for responses, where it still allows that. Resolves to whether it worked. */
export async function postResponse(url: string, body: object): Promise<boolean> {
  try {
    const { ok } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return ok;
  } catch {
    return false;
  }
}
