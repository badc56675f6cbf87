import {
  DecryptionError,
  decryptPush,
  findKey,
  NotEncryptedError,
  type PushObject,
  type RetrievedPush,
} from '../../client/client.ts';
import { ClientCommandError } from './failure.ts';
import { askSecret, note } from './terminal.ts';

/** A retrieved push, and the key that decrypted it if it was encrypted. */
export type OpenedPush = { push: RetrievedPush; key?: string };

/** Refuses a link whose key was cut off, before a view is used. */
export function requireWholeKey(link: string): void {
  if (!/(?:#|%23)./.test(link) || findKey(link) !== undefined) return;
  throw new Error(
    'The link is cut off: what follows # is not a whole key. Copy the whole link. Nothing was retrieved.',
  );
}

/** Adds the key to the link of a created push. Throws if the server does not know that it is encrypted. */
export function withKey(push: PushObject, key: string): PushObject {
  if (push.encrypted) return { ...push, html_url: `${push.html_url}#${key}` };
  throw new ClientCommandError(
    'This server does not know encrypted pushes. It got nothing that it can read, and nobody can open the push.',
  );
}

/**
 * Decrypts a retrieved push, and asks for its key if the link has none, or a wrong one. A link with a key opens what the key
 * decrypts, or nothing. For one without, where nobody can be asked, `saveSealed` gets the encrypted payload, so that it is not
 * lost with its view.
 */
export async function decrypt(
  push: RetrievedPush,
  link: string,
  saveSealed: (payload: string) => Promise<void>,
): Promise<OpenedPush> {
  const hasKey = findKey(link) !== undefined;
  if (hasKey && push.expired && push.payload === null) throw expiredError();
  if (!hasKey && (!push.encrypted || push.payload === null)) return { push };
  const opened = await openWithKeys(push, link);
  if (opened !== undefined) return opened;
  if (hasKey)
    throw new ClientCommandError(
      'The key in the link does not open what the server sent, so none of it was written.',
      { code: 'encrypted' },
    );
  await saveSealed(String(push.payload));
  const sentence =
    'It is encrypted, and the link has no key that opens it: the encrypted text was written instead.';
  throw new ClientCommandError(sentence, { code: 'encrypted' });
}

/** Tries the key in the link, then those that the user enters. Undefined without a terminal. */
async function openWithKeys(push: RetrievedPush, link: string): Promise<OpenedPush | undefined> {
  for (let text = link; ; text = await askSecret('Key: ')) {
    const key = findKey(text);
    const opened = key && (await decryptPush(push, key).catch(ignoreWrongKey));
    if (key && opened) return { push: opened, key };
    if (!process.stdin.isTTY) return undefined;
    note(
      key
        ? 'That key belongs to another secret.'
        : 'It is encrypted. Paste the whole link, or what follows # in it.',
    );
  }
}

function ignoreWrongKey(error: unknown): undefined {
  if (error instanceof NotEncryptedError)
    throw new ClientCommandError(
      'The link has the key of an encrypted secret, but what the server sent is not encrypted. Somebody may have replaced it, so none of it was written.',
      { code: 'not_encrypted' },
    );
  if (!(error instanceof DecryptionError)) throw error;
}

export const expiredError = () => new ClientCommandError('That push has expired.', { code: 'expired' });
