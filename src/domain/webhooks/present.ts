import type { Keyring } from '../../crypto/keyring.ts';
import { decodeTypes, type PublicType } from '../notices/events.ts';
import { createSeals } from './row.ts';
import type { WebhookRow } from './table.ts';

/**
 * Where an account wants events sent to. `url` is null if it cannot be decrypted, because its key is missing.
 * `failingSince` is the time of the first failure since the last success.
 */
export type Webhook = {
  id: string;
  url: string | null;
  /** The types of events that it gets; null for all. */
  types: PublicType[] | null;
  createdAt: number;
  failingSince: number | null;
  disabledAt: number | null;
};

/** Creates the function that turns a row into what its owner sees. */
export function createWebhookPresenter(keyring: Keyring) {
  const { maybeUrl } = createSeals(keyring);
  return ({ id, url, types, createdAt, failingSince, disabledAt }: WebhookRow): Webhook => ({
    id: id.toString('hex'),
    url: maybeUrl(id, url) ?? null,
    types: decodeTypes(types),
    createdAt,
    failingSince,
    disabledAt,
  });
}
