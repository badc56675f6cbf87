import { z } from 'zod';
import { newReceipt, sealedReceipt } from '../../../crypto/tokens.ts';
import { DomainError } from '../../../errors.ts';
import { dayMs } from '../../../time.ts';
import { optionalTextOf, parseInput } from '../../base/index.ts';
import { type IncomingFile, invalidFiles } from '../../files/index.ts';
import type { ClientInfo } from '../../people/index.ts';
import { createRequestDigest, guessPassphrase, pushTextMax, wrongPassphrase } from '../../pushes/index.ts';
import { type FoundLink, type RequestLinkDependencies, toRequestLink } from './link.ts';
import { createAnswerPlaces, type Earlier, type Receipt } from './places.ts';
import { createLinkPreviews } from './preview.ts';
import { requireSealed, type SealedKey } from './sealed.ts';

/** What is sent, as it was entered. `formId` is the same whenever the same form is sent; it has 128 random bits. */
export type AnswerForm = {
  formId: string;
  passphrase?: string | undefined;
  text?: string | undefined;
  name?: string | undefined;
  /** The key of a text and files that were encrypted before they were sent, which only whoever asked can open. */
  sealedKey?: string | undefined;
};

const nameSchema = z.object({ name: optionalTextOf(pushTextMax.sender) });

/** Answers request links. */
export function createAnswering(dependencies: RequestLinkDependencies) {
  const { keyring, limits, pushes, settings } = dependencies;
  const { preview, requireLink, requireOpen } = createLinkPreviews(dependencies);
  const { maybeSent, take } = createAnswerPlaces(dependencies);

  /**
   * Begins an answer: add its files while they are received, then send it. Throws `not_found` for a link that never was one,
   * and `too_many` beyond the limits, before anything is read. A link that has ended is refused then, too, where the id of the
   * form is known already, and the form was not sent before. Disposing of it discards files that were not sent.
   */
  async function beginAnswer(token: string, client: ClientInfo, formId?: string) {
    const { row, account } = await requireLink(token, client);
    if (formId !== undefined && (await maybeSent(row, formId)) === undefined) await requireOpen(row, client);
    const { publicKeys } = toRequestLink(keyring, row);
    await limits.consume('answer', { client, link: row.id, account: account.id });
    const creation = pushes.beginAdmitted({ account, client }, { bytesMax: row.bytesMax ?? undefined });
    const content = createRequestDigest();
    let compared = Promise.resolve();
    let hasFiles = false;
    let admitted: Promise<Earlier | undefined> | undefined;

    /**
     * Checks once whether a form may answer, before its first file is stored: the link must be open, and the passphrase right.
     * Returns what a form sent before, which is not sent again.
     */
    function admit(form: AnswerForm): Promise<Earlier | undefined> {
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
      const digested = content.withFile(file);
      if ((await admit(form)) !== undefined) {
        compared = compared.then(() => readAll(digested.stream));
        return compared;
      }
      if (row.accepts === 'text') throw invalidFiles({ code: 'notAccepted' });
      hasFiles = true;
      await creation.addFile(digested);
    }

    /**
     * Stores the answer, and takes one of the link's places: both or nothing. Throws `not_found` if none is left, and `invalid` if
     * the form has sent another answer before.
     */
    async function send(form: AnswerForm): Promise<Receipt> {
      const { formId } = form;
      const digest = content.ofInput([formId, form.text ?? '', form.name ?? '']);
      const earlier = await admit(form);
      if (earlier !== undefined) return requireSame(earlier, digest, form);
      const { text, name } = requireAccepted(row, form, hasFiles);
      const sealed = sealedIn(form);
      const receipt = sealed === null ? newReceipt() : sealedReceipt(token, sealed);
      const sent = { receipt, name, formId, sealed, digest };
      try {
        await creation.create(pushInput(row, { text, name, hasFiles, encrypted: sealed !== null }), {
          inTransaction: (tx, pushId) => take({ row, account, pushId, sent }, tx),
        });
      } catch (error) {
        const twin = await maybeSent(row, formId); // of a second press at the same time
        if (twin === undefined) throw error;
        return requireSame(twin, digest, form);
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

/**
 * The receipt of what a form sent before, if it was the same. What is sealed differs each time, and has another receipt: whoever
 * sealed it compares that.
 */
function requireSame({ receipt, digest }: Earlier, now: string, { sealedKey }: AnswerForm): Receipt {
  if (sealedKey === undefined && digest !== undefined && digest !== now)
    throw new DomainError('invalid', 'answerSentBefore', { values: { receipt } });
  return { receipt };
}

async function readAll(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
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
