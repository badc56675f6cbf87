import { maybeOpenLabel } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { ChatUser } from '../people/index.ts';
import type { RequestRow, RequestState } from './tables.ts';

/** A request by one person to another for a secret. */
export type SecretRequest = {
  id: string;
  /** The same for all that were sent together. */
  groupId: string;
  requester: ChatUser;
  provider: ChatUser;
  /** Where it was asked. The rules there apply to the answer. */
  workspace: string;
  reason: string | null;
  /** Whether the reason cannot be decrypted, because its key is missing. */
  isUnreadable: boolean;
  state: RequestState;
  createdAt: number;
  expiresAt: number;
};

export type RequestRole = 'requester' | 'provider';

/** The columns of a `RequestRow`, from the table requests as `r`. */
export const requestColumns = `r.id, r.group_id AS groupId, r.platform, r.requester, r.provider, r.workspace, r.reason, r.state,
  r.created_at AS createdAt, r.expires_at AS expiresAt`;

/** The SQL condition for open requests. */
export const openCondition = ({ dialect }: Pick<Database, 'dialect'>) =>
  `state = 'open' AND expires_at > ${dialect.now}`;

/** Decrypts the reason, if that is possible. */
export function toRequest(
  keyring: Keyring,
  { id, groupId, platform, requester, provider, reason, ...row }: RequestRow,
): SecretRequest {
  const opened = reason && maybeOpenLabel(keyring, reason, { id, field: 'reason' });
  return {
    ...row,
    id: id.toString('hex'),
    groupId: groupId.toString('hex'),
    requester: { platform, address: requester },
    provider: { platform, address: provider },
    reason: opened ?? null,
    isUnreadable: opened === undefined,
  };
}

export const requestNotFound = (): DomainError => new DomainError('not_found', 'requestEnded');
