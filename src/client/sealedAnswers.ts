import { encryptPush } from './encryptedPush.ts';
import { findKey } from './findKey.js';
import type {
  AnswerParams,
  OpenRequestObject,
  RequestAnswerObject,
  RequestLinkObject,
  RequestLinkParams,
  SealedLinkObject,
} from './requestLinkObjects.ts';
import type { SealingPlace } from './sealing.js';

/**
 * A request link whose answers only the key opens that this creates, or the passphrase: as it is sent to the server, which gets
 * neither, and with what belongs to it once it is created.
 */
export async function sealLink(link: RequestLinkParams, passphrase: string | undefined) {
  const { createOpeningKey, fragmentOf } = await import('./sealing.js');
  const { wrapKey } = await import('./wrappedKey.js');
  const { openingKey, publicKeys } = await createOpeningKey();
  const wrapped = passphrase === undefined ? undefined : await wrapKey(openingKey, passphrase);
  const fragment = await fragmentOf(publicKeys);
  const complete = (created: RequestLinkObject, base: string): SealedLinkObject => ({
    ...created,
    html_url: created.html_url && `${created.html_url}#${fragment}`,
    opening_key: openingKey,
    opening_url: `${base}requests/links/${created.id}#${openingKey}`,
  });
  return { params: { ...link, public_keys: publicKeys, wrapped_key: wrapped }, complete };
}

type Request = { link: string; keys: Pick<OpenRequestObject, 'public_keys'>; place: SealingPlace };

/**
 * An answer that only whoever asked can open, as it is sent, and the receipt that the server must return. Throws a SealingError
 * if the server does not show the keys that the link promises, and a TypeError if that was cut off.
 */
export async function sealAnswer(params: AnswerParams, { link, keys, place }: Request) {
  const { findFragment, receiptOf, requirePromised, sealKey } = await import('./sealing.js');
  const publicKeys = keys.public_keys ?? '';
  const fragment = findFragment(link);
  if (fragment === undefined) throw new TypeError('The request link is cut off: copy the whole link.');
  await requirePromised(publicKeys, fragment);
  const { name, passphrase, payload = '', files = [] } = params;
  const { push, key } = await encryptPush({ payload, ...(files.length > 0 && { files }) });
  const sealedKey = await sealKey(key, publicKeys, place);
  return {
    params: { name, passphrase, sealed_key: sealedKey, payload: push.payload, files: push.files },
    receipt: await receiptOf(sealedKey, place),
  };
}

/** Whether a passkey opens the answers to a link: then only a browser can, on the page of the link. */
export const opensByPasskey = ({ wrapped_key }: Pick<RequestLinkObject, 'wrapped_key'>): boolean =>
  wrapped_key?.startsWith('prf.') ?? false;

type SealedLink = Pick<RequestLinkObject, 'url_token' | 'public_keys' | 'wrapped_key'>;

/**
 * Opens the keys of sealed answers: each gets the link that opens it, and the receipt that follows from what was sealed. One that
 * was not sealed for this link, was changed since, is there twice, or has another receipt, has no link, and the problem `tampered`. `secret` is what
 * you alone have: your own link or its key, or the passphrase. Throws a DecryptionError for another passphrase, a SealingError
 * if the key and those that the server shows do not belong together, and a TypeError without a whole key, and for a passphrase where a
 * passkey opens them.
 */
export async function openAnswers(
  { url_token: token, public_keys: publicKeys, wrapped_key: wrapped }: SealedLink,
  answers: RequestAnswerObject[],
  secret: { link: string } | { passphrase: string },
): Promise<(RequestAnswerObject & { problem?: 'tampered' })[]> {
  if (!publicKeys || token === null) return answers;
  if ('passphrase' in secret && opensByPasskey({ wrapped_key: wrapped }))
    throw new TypeError('These answers open with a passkey, which only a browser can use.');
  const { createAnswerOpener } = await import('./sealing.js');
  const { unwrapKey } = await import('./wrappedKey.js');
  const openingKey =
    'link' in secret ? findKey(secret.link) : await unwrapKey(wrapped ?? '', secret.passphrase);
  if (openingKey === undefined)
    throw new TypeError('There is no whole key in it: the key is what follows # in your own link.');
  const open = await createAnswerOpener(openingKey, publicKeys, token);

  async function opened(answer: RequestAnswerObject) {
    const { answer_id: answerId, sealed_key: sealedKey, html_url } = answer;
    if (!answerId || !sealedKey) return answer;
    const { receipt, key } = await open({ sealedKey, answerId, receipt: answer.receipt });
    if (key === undefined) return { ...answer, html_url: null, problem: 'tampered' as const };
    return { ...answer, receipt, html_url: html_url && `${html_url}#${key}` };
  }

  const all = [];
  for (const answer of answers) all.push(await opened(answer));
  return all;
}
