import { z } from 'zod';
import { openLabel, seal } from '../../../crypto/cipher.ts';
import { newId } from '../../../crypto/ids.ts';
import { idempotencyDigest } from '../../../crypto/pepper.ts';
import { newReceipt, sealedReceipt } from '../../../crypto/tokens.ts';
import type { Tx } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import { dayMs } from '../../../time.ts';
import { optionalTextOf, parseInput } from '../../base/index.ts';
import { type IncomingFile, invalidFiles } from '../../files/index.ts';
import { decodePreferences, encodePreferences } from '../../outbox/index.ts';
import type { Account, ClientInfo } from '../../people/index.ts';
import { guessPassphrase, pushTextMax, wrongPassphrase } from '../../pushes/index.ts';
import {
  type FoundLink,
  isOpenLink,
  linkNotFound,
  type RequestLinkDependencies,
  toRequestLink,
} from './link.ts';
import { createLinkPreviews } from './preview.ts';
import { requireSealed, type SealedKey, sealAnswerKey } from './sealed.ts';

/** What is sent, as it was entered. `formId` is the same whenever the same form is sent; it has 128 random bits. */
export type AnswerForm = {
  formId: string;
  passphrase?: string | undefined;
  text?: string | undefined;
  name?: string | undefined;
  /** The key of a text and files that were encrypted before they were sent, which only whoever asked can open. */
  sealedKey?: string | undefined;
};

/** What whoever answers keeps. It opens nothing. */
type Receipt = { receipt: string };

/** An answer that is stored: its receipt, and the name that came with it. */
type Sent = Receipt & { name: string | null; formId: string; sealed: SealedKey | null };

const nameSchema = z.object({ name: optionalTextOf(pushTextMax.sender) });

/** Answers request links. */
export function createAnswering(dependencies: RequestLinkDependencies) {
  const { keyring, limits, pushes, settings } = dependencies;
  const { preview, requireLink, requireOpen } = createLinkPreviews(dependencies);
  const { maybeSent, take } = createAnswerPlaces(dependencies);

  /**
   * Begins an answer: add its files while they are received, then send it. Throws `not_found` for a link that never was one,
   * and `too_many` beyond the limits, before anything is read. Disposing of it discards files that were not sent.
   */
  async function beginAnswer(token: string, client: ClientInfo) {
    const { row, account } = await requireLink(token, client);
    const { publicKeys } = toRequestLink(keyring, row);
    await limits.consume('answer', { client, link: row.id, account: account.id });
    const creation = pushes.beginAdmitted({ account, client }, { bytesMax: row.bytesMax ?? undefined });
    let hasFiles = false;
    let admitted: Promise<Receipt | undefined> | undefined;

    /**
     * Checks once whether a form may answer, before its first file is stored: the link must be open, and the passphrase right.
     * Returns the receipt of a form that was sent before, which is not sent again.
     */
    function admit(form: AnswerForm): Promise<Receipt | undefined> {
      admitted ??= (async () => {
        const sent = await maybeSent(row, form.formId);
        if (sent !== undefined) return sent;
        await requireOpen(row, client);
        requireSealed(publicKeys, sealedIn(form));
        await requirePassphrase(row, form.passphrase, client);
        return undefined;
      })();
      return admitted;
    }

    /** Stores a file while it is received. Throws as soon as it breaks a rule. */
    async function addFile(file: IncomingFile, form: AnswerForm): Promise<void> {
      if ((await admit(form)) !== undefined) return;
      if (row.accepts === 'text') throw invalidFiles({ code: 'notAccepted' });
      hasFiles = true;
      await creation.addFile(file);
    }

    /** Stores the answer, and takes one of the link's places: both or nothing. Throws `not_found` if none is left. */
    async function send(form: AnswerForm): Promise<Receipt> {
      const earlier = await admit(form);
      if (earlier !== undefined) return earlier;
      const { text, name } = requireAccepted(row, form, hasFiles);
      const { formId } = form;
      const sealed = sealedIn(form);
      const receipt = sealed === null ? newReceipt() : sealedReceipt(token, sealed);
      const sent = { receipt, name, formId, sealed };
      try {
        await creation.create(pushInput(row, { text, name, hasFiles, encrypted: sealed !== null }), {
          inTransaction: (tx, pushId) => take({ row, account, pushId, sent }, tx),
        });
      } catch (error) {
        const twin = await maybeSent(row, formId); // of a second press at the same time
        if (twin === undefined) throw error;
        return twin;
      }
      return { receipt: sent.receipt };
    }

    return { account, addFile, send, [Symbol.asyncDispose]: creation[Symbol.asyncDispose] };
  }

  /** With the same limits as for the passphrases of pushes. */
  async function requirePassphrase(
    { id, passphraseHash }: FoundLink,
    passphrase: string | undefined,
    client: ClientInfo,
  ): Promise<void> {
    if (passphraseHash === null) return;
    if (!passphrase) throw wrongPassphrase('required');
    const guarded = { id, passphraseHash };
    const { outcome, triesLeft } = await guessPassphrase(dependencies, guarded, passphrase, client);
    if (outcome !== 'right') throw wrongPassphrase('incorrect', triesLeft);
  }

  /** The answer as a push of the account that asked: one view, behind the retrieval step, with a reminder before its end. */
  function pushInput(
    row: FoundLink,
    { text, ...answer }: { text: string; name: string | null; hasFiles: boolean; encrypted: boolean },
  ) {
    const { expireAfterDays: days, expireAfterViews: views } = settings.pushes.bounds;
    return {
      payload: text,
      kind: answer.hasFiles ? 'file' : 'text',
      encrypted: answer.encrypted,
      sender: answer.name,
      name: toRequestLink(keyring, row).title,
      expireAfterViews: views.min,
      expireAfterDays: Math.min(days.max, Math.max(days.min, row.answerLifetimeMs / dayMs)),
      retrievalStep: true,
      deletableByViewer: false,
      notify: { reminder: true },
    };
  }

  return { preview, beginAnswer };
}

const sealedIn = ({ formId, sealedKey }: AnswerForm): SealedKey | null =>
  sealedKey === undefined ? null : { answerId: formId, key: sealedKey };

/** The text and the name of a form, as far as its link takes them. Throws `invalid`. */
function requireAccepted(
  { accepts, allowsName }: FoundLink,
  { text = '', name, sealedKey }: AnswerForm,
  hasFiles: boolean,
): { text: string; name: string | null } {
  if (accepts === 'files' && !hasFiles) throw invalidFiles({ code: 'fileRequired' });
  if (accepts === 'files' && text !== '' && sealedKey === undefined)
    throw new DomainError('invalid', { problems: { payload: [{ code: 'notAccepted' }] } });
  return { text, name: allowsName ? parseInput(nameSchema, { name }).name : null };
}

type TakenPlace = { row: FoundLink; account: Account; pushId: Buffer; sent: Sent };

/** The places that a link has for answers. */
function createAnswerPlaces({ database, keyring, outbox }: RequestLinkDependencies) {
  const { select, dialect } = database;

  const digestOf = ({ id }: FoundLink, formId: string) =>
    idempotencyDigest(keyring, `request link ${id.toString('hex')}`, formId);

  /** The receipt of a form that was sent before. */
  async function maybeSent(row: FoundLink, formId: string): Promise<Receipt | undefined> {
    const [sent] = await select<{ id: Buffer; label: Buffer }>(
      'SELECT id, label FROM request_answers WHERE sent_digest = $digest',
      { digest: digestOf(row, formId) },
    );
    if (sent === undefined) return undefined;
    const json = openLabel(keyring, sent.label, { id: sent.id, field: 'request_answer' });
    return { receipt: (JSON.parse(json) as [string])[0] };
  }

  /** Takes a place, in the transaction that creates the push. The row of the link is locked from here on: one after the other. */
  async function take({ row, account, pushId, sent }: TakenPlace, tx: Tx): Promise<void> {
    const taken = await tx.execute(
      `UPDATE request_links SET answers_used = answers_used + 1
       WHERE id = $id AND ${isOpenLink(dialect.now)}`,
      { id: row.id },
    );
    if (taken !== 1) throw linkNotFound();
    const id = newId();
    const into = `INTO request_answers (id, link_id, push_id, sent_digest, label, sealed_key, created_at)
      VALUES ($id, $linkId, $pushId, $sentDigest, $label, $sealedKey, ${dialect.now})`;
    const added = await tx.execute(dialect.insertIgnore('sent_digest', into), {
      ...{ id, linkId: row.id, pushId, sentDigest: digestOf(row, sent.formId) },
      label: seal(keyring, JSON.stringify([sent.receipt, sent.name]), { id, field: 'request_answer' }),
      sealedKey: sealAnswerKey(keyring, id, sent.sealed),
    });
    if (added !== 1) throw new DomainError('conflict', 'alreadyDone');
    const notify = encodePreferences({ ...decodePreferences(account.notify), reminder: true });
    await outbox.write('answered', { id: pushId, accountId: account.id, notify }, 0, tx);
  }

  return { maybeSent, take };
}
