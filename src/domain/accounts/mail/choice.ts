import { DomainError } from '../../../errors.ts';
import { maybeMailAddress } from '../../../mailAddress.ts';
import { type MailRefusal, mailMessenger, mailRecipientOf } from '../../mail/index.ts';
import { decodeTypes, encodeTypes, type MailKind, mailKinds } from '../../outbox/index.ts';
import type { Account } from '../../people/index.ts';
import type { AccountLinkDependencies } from '../passwordLinks.ts';

/** What an account gets at its address, and what the mail server said if it refused the last mail there. */
type MailChoice = { address: string; kinds: MailKind[]; refusal: MailRefusal | undefined };

const kindsIn = (types: string | null): MailKind[] => {
  const chosen = decodeTypes(types);
  const isChosen = (kind: MailKind) => mailKinds[kind].every((type) => chosen?.includes(type) ?? true);
  return (Object.keys(mailKinds) as MailKind[]).filter(isChosen);
};

/** Which notices an account gets by mail, as far as it is notified at all. Only a confirmed address gets any. */
export function createMailChoice({ database, mailAddresses, signing }: AccountLinkDependencies) {
  const { select, execute } = database;
  const here = `WHERE messenger = '${mailMessenger}' AND address = $address`;

  /** Undefined for an account without a confirmed address. */
  async function mailChoiceOf({ id, email }: Pick<Account, 'id' | 'email'>): Promise<MailChoice | undefined> {
    if (maybeMailAddress(email) === undefined) return undefined; // of a chat
    const { address } = mailRecipientOf(email);
    const sql = `SELECT types FROM recipients ${here} AND account_id = $id`;
    const [row] = await select<{ types: string | null }>(sql, { id, address });
    if (row === undefined) return undefined;
    return { address: email, kinds: kindsIn(row.types), refusal: await mailAddresses.maybeRefusal(email) };
  }

  /** What waits for a kind that is no longer chosen is not sent. Throws `conflict` for an account without a confirmed address. */
  async function chooseMails(account: Pick<Account, 'id' | 'email'>, kinds: MailKind[]): Promise<void> {
    if ((await mailChoiceOf(account)) === undefined) throw new DomainError('conflict', 'addressUnconfirmed');
    await execute(`UPDATE recipients SET types = $types ${here} AND account_id = $id`, {
      ...{ id: account.id, address: mailRecipientOf(account.email).address },
      types: encodeTypes(kinds.flatMap((kind) => mailKinds[kind])),
    });
  }

  /** Whoever has it can end the notices to an address, and do nothing else. It works as long as the keys of this service. */
  const unsubscribeToken = (noticeAddress: string): string =>
    `${noticeAddress}.${signing.sign('unsubscribe', noticeAddress)}`;

  /** Throws `not_found` for a token that is none of ours. */
  function requireUnsubscribeToken(token: string): string {
    const [address = '', signature = ''] = token.split('.');
    if (!signing.isSigned(signature, 'unsubscribe', address)) throw new DomainError('not_found', 'linkUsed');
    return address;
  }

  /** Ends all notices to an address but those that nobody can switch off. May be repeated. Throws like `requireUnsubscribeToken`. */
  async function unsubscribe(token: string): Promise<void> {
    const address = requireUnsubscribeToken(token);
    await execute(`UPDATE recipients SET types = $none ${here}`, { address, none: encodeTypes([]) });
  }

  return { mailChoiceOf, chooseMails, unsubscribeToken, requireUnsubscribeToken, unsubscribe };
}
