import {
  DecryptionError,
  decryptPush,
  findKey,
  type PushObject,
  type RetrievedPush,
} from '../../client/client.ts';
import { ClientCommandError } from './failure.ts';
import { askSecret, note } from './terminal.ts';

/** A retrieved push, and the key that decrypted it if it was encrypted. */
export type OpenedPush = { push: RetrievedPush; key?: string };

/** Refuses a link whose key was cut off, before a view is used. */
export function requireWholeKey(link: string): void {
  if (!/#./.test(link) || findKey(link) !== undefined) return;
  throw new Error('The link is cut off: what follows # is not a whole key. Nothing was retrieved.');
}

/** Adds the key to the link of a created push. Throws if the server does not know that it is encrypted. */
export function withKey(push: PushObject, key: string): PushObject {
  if (push.encrypted) return { ...push, html_url: `${push.html_url}#${key}` };
  throw new ClientCommandError(
    'This server does not know encrypted pushes. It got nothing that it can read, and nobody can open the push.',
  );
}

/**
 * Decrypts a retrieved push, and asks for its key if the link has none. Where nobody can be asked, `saveSealed` gets the
 * encrypted payload, so that it is not lost with its view.
 */
export async function decrypt(
  push: RetrievedPush,
  link: string,
  saveSealed: (payload: string) => Promise<void>,
): Promise<OpenedPush> {
  if (!push.encrypted || push.payload === null) return { push };
  for (let text = link; ; text = await askSecret('Key: ')) {
    const key = findKey(text);
    const opened = key && (await decryptPush(push, key).catch(ignoreWrongKey));
    if (key && opened) return { push: opened, key };
    if (!process.stdin.isTTY) break;
    note(
      key
        ? 'That key belongs to another secret.'
        : 'It is encrypted. Paste the whole link, or what follows # in it.',
    );
  }
  await saveSealed(push.payload);
  const sentence =
    'It is encrypted, and the link has no key that opens it: the encrypted text was written instead.';
  throw new ClientCommandError(sentence, { code: 'encrypted' });
}

function ignoreWrongKey(error: unknown): undefined {
  if (!(error instanceof DecryptionError)) throw error;
}
