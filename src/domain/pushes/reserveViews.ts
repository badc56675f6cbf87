import { seal } from '../../crypto/cipher.ts';
import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { urlTokenDigest } from '../../crypto/pepper.ts';
import { newUrlToken } from '../../crypto/tokens.ts';
import { type Database, forEachRow, type Tx } from '../../database/database.ts';
import { StaleReadError } from '../../database/errors.ts';
import { DomainError } from '../../errors.ts';
import { mailMessenger } from '../mail/index.ts';
import { type ChatUser, shortName } from '../people/index.ts';
import { isLive, pushNotFound } from './push.ts';

/** A recipient: a chat user, whoever reads the mails to an address, or the person named by a label. */
export type Invitation = { label: string } | MailInvitation | NewPushRecipient;

/** `address` is where notices reach the e-mail address. */
export type MailInvitation = { email: string; needsCode: boolean; address: string };

/** A person in a chat, and their name there, if the chat gave it. */
export type NewPushRecipient = ChatUser & { name?: string | null | undefined };

export type InviteOptions = {
  /** How often the link of each opens the push. Nobody else can use these views. */
  viewsPerRecipient: number;
  /** Whether each gets a link only when they ask for it in their chat, for two minutes. */
  isBound?: boolean;
};

type Dependencies = { database: Database; keyring: Keyring };

export type ReserveViews = ReturnType<typeof createViewReservation>;

/** Reserves views of pushes for recipients. */
export function createViewReservation({ database: { dialect }, keyring }: Dependencies) {
  const valuesOf = forEachRow(`($id, $pushId, $platform, $address, $name, $label, $tokenDigest, $tokenSealed,
    $isBound, $needsCode, $viewsMax, ${dialect.now})`);

  /**
   * Reserves views of an account's push for recipients. Existing recipients get no further views. Throws `not_found` once
   * the push has ended, and `invalid` if it has fewer unreserved views left.
   */
  return async function reserveViews(
    pushId: Buffer,
    invitations: Invitation[],
    { viewsPerRecipient, isBound = false }: InviteOptions,
    tx: Tx,
  ): Promise<void> {
    const viewsLeft = await lockUnreserved(pushId, tx);
    const added = await withoutKnown(pushId, invitations, tx);
    if (added.length === 0) return;
    await reserve(pushId, { views: added.length * viewsPerRecipient, viewsLeft }, tx);
    const { sql, binds } = valuesOf(
      added.map((invitation) => ({
        pushId,
        isBound,
        viewsMax: viewsPerRecipient,
        needsCode: isMailed(invitation) && invitation.needsCode,
        ...identityColumns(invitation, isBound),
      })),
    );
    await tx.execute(
      `INSERT INTO push_recipients (id, push_id, platform, address, name, label, token_digest, token_sealed,
         is_bound, needs_code, views_max, created_at) VALUES ${sql}`,
      binds,
    );
  };

  async function withoutKnown(pushId: Buffer, invitations: Invitation[], tx: Tx): Promise<Invitation[]> {
    const known = await tx.select<{ platform: string; address: string }>(
      'SELECT platform, address FROM push_recipients WHERE push_id = $pushId AND platform IS NOT NULL',
      { pushId },
    );
    const seen = new Set(known.map(keyOf));
    return invitations.filter((invitation) => {
      if ('label' in invitation) return true;
      const key = keyOf(isMailed(invitation) ? { platform: mailMessenger, ...invitation } : invitation);
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    });
  }

  /** Locks a push. Returns how many of its views are neither used nor reserved. */
  async function lockUnreserved(id: Buffer, tx: Tx): Promise<number> {
    const [row] = await tx.select<{ viewsLeft: number }>(
      `SELECT views_max - views_used - views_reserved AS viewsLeft FROM pushes
       WHERE id = $id AND account_id IS NOT NULL AND ${isLive(dialect.now)}
       ${dialect.forUpdate}`,
      { id },
    );
    if (row === undefined) throw pushNotFound();
    return Number(row.viewsLeft);
  }

  async function reserve(
    id: Buffer,
    { views, viewsLeft }: { views: number; viewsLeft: number },
    tx: Tx,
  ): Promise<void> {
    if (views > viewsLeft)
      throw new DomainError('invalid', {
        problems: { recipients: [{ code: 'moreThanViews', views: viewsLeft }] },
      });
    const reserved = await tx.execute(
      `UPDATE pushes SET views_reserved = views_reserved + $views
       WHERE id = $id AND views_used + views_reserved + $views <= views_max AND expired_on IS NULL`,
      { id, views },
    );
    if (reserved !== 1) throw new StaleReadError();
  }

  /** A label is sealed. A bound recipient has no link yet. */
  function identityColumns(invitation: Invitation, isBound: boolean) {
    const [id, urlToken] = [newId(), newUrlToken()];
    const link = isBound
      ? {}
      : {
          tokenDigest: urlTokenDigest(keyring, urlToken),
          tokenSealed: seal(keyring, urlToken, { id, field: 'recipient_token' }),
        };
    if (!isChatUser(invitation)) {
      const [text, user] = isMailed(invitation)
        ? [invitation.email, { platform: mailMessenger, address: invitation.address }]
        : [invitation.label, {}];
      return { id, ...user, label: seal(keyring, text, { id, field: 'recipient' }), ...link };
    }
    const { platform, address, name } = invitation;
    return { id, platform, address, name: name ? shortName(name) : null, ...link };
  }
}

const keyOf = ({ platform, address }: { platform: string; address: string }) => `${platform}:${address}`;

/** Whether a recipient is known by an e-mail address. */
export const isMailed = (invitation: Invitation): invitation is MailInvitation => 'email' in invitation;

/** Whether a recipient is a chat user. */
export const isChatUser = (invitation: Invitation): invitation is NewPushRecipient =>
  'platform' in invitation;
