import { randomBytes } from '../../crypto/random.ts';
import type { Signing } from '../../crypto/signing.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Account, ClientInfo } from '../people/index.ts';
import { normalizeEmail } from './accountSchema.ts';
import { securityLogMs } from './security/log.ts';

export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>;

/** Of so many accounts does one browser keep that it has signed in to them. */
const accountsMax = 5;
const idShape = /^[\w-]{22}$/;

/**
 * Browsers that have signed in to an account before. Their tries to sign in count apart, so that strangers who guess
 * cannot keep the owner out, and accounts are told of others. The proof is a random id that the browser keeps, with a signature for
 * each of its accounts; it signs nobody in, and nothing of it is stored here.
 */
export function createKnownBrowsers({ dialect }: Pick<Database, 'dialect'>, signing: Signing) {
  /** Returns a browser's proof for an account, besides those that it has. A browser keeps its id, and with it its count of failures. */
  function prove(email: string, current = ''): string {
    if (maybeId(email, current) !== undefined) return current;
    const [known = '', ...signatures] = current.split('.');
    const id = idShape.test(known) ? known : randomBytes(16).toString('base64url');
    const kept = id === known ? signatures.filter((each) => each.length <= signatureMax) : [];
    const signature = signing.sign('browser', normalizeEmail(email), id);
    return [id, signature, ...kept.slice(0, accountsMax - 1)].join('.');
  }

  /** Returns the id of a browser that has signed in to the account before; undefined for all others. */
  function maybeId(email: string, proof = ''): string | undefined {
    const [id = '', ...signatures] = proof.split('.', 1 + accountsMax);
    const isKnown = signatures.some((each) => signing.isSigned(each, 'browser', normalizeEmail(email), id));
    return isKnown ? id : undefined;
  }

  /** Whether a browser has not signed in to an account before, and is not the first that does. Call it before that is recorded. */
  async function isNew({ id }: Pick<Account, 'id'>, client: ClientInfo, tx: Tx): Promise<boolean> {
    const [found] = await tx.select<{ email: string; isFirst: number | boolean }>(
      `SELECT a.email, a.created_at > ${dialect.now} - ${securityLogMs} AND NOT EXISTS (
         SELECT 1 FROM security_events e WHERE e.account_id = a.id AND e.kind = 'signed_in') AS isFirst
       FROM accounts a WHERE a.id = $id`,
      { id },
    );
    if (found === undefined || found.isFirst) return false;
    return maybeId(found.email, client.browserProof) === undefined;
  }

  return { prove, maybeId, isNew };
}

/** HMAC-SHA256 in Base64url. */
const signatureMax = 43;
