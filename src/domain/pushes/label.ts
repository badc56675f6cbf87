import { maybeOpenLabel, openLabel, sealWithSalt } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { createRecordKeys } from '../../crypto/recordKey.ts';
import type { PushRow } from './tables.ts';

/** What only the owner of a push sees of it, in one record, and the id of the API token that alone may expire it besides. */
export type PushLabel = {
  urlToken: string;
  name: string | null;
  note: string | null;
  tokenId?: string | undefined;
};
type LabelRow = Pick<PushRow, 'id' | 'label'>;

const contextOf = ({ id }: Pick<PushRow, 'id'>) => ({ id, field: 'push' }) as const;

/** Encrypts the label of an account's push, with a key that the account's labels share (decision 0040). Throws like `seal`. */
export function sealPushLabel(
  keyring: Keyring,
  { id, accountId }: { id: Buffer; accountId: Buffer },
  { urlToken, name, note, tokenId }: PushLabel,
): Buffer {
  const fields = tokenId === undefined ? [urlToken, name, note] : [urlToken, name, note, tokenId];
  return sealWithSalt(keyring, JSON.stringify(fields), contextOf({ id }), accountId);
}

/** Decrypts the label of an account's push, from its row. Throws like `openLabel`. */
export function openPushLabel(keyring: Keyring, { id, label }: LabelRow): PushLabel {
  if (label === null) throw new Error('an owned push has no label');
  return parse(openLabel(keyring, label, contextOf({ id })));
}

/**
 * Decrypts the labels of many pushes of an account, each undefined if it cannot be decrypted, or if `isCandidate` rules it
 * out by its JSON.
 */
export function createPushLabelReader(keyring: Keyring, isCandidate = (_json: string) => true) {
  const deriveKey = createRecordKeys();
  return ({ id, label }: LabelRow): PushLabel | undefined => {
    const json = label === null ? undefined : maybeOpenLabel(keyring, label, contextOf({ id }), deriveKey);
    return json === undefined || !isCandidate(json) ? undefined : parse(json);
  };
}

function parse(json: string): PushLabel {
  const [urlToken, name, note, tokenId] = JSON.parse(json) as [string, string | null, string | null, string?];
  return { urlToken, name, note, tokenId };
}
