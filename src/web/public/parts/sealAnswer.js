// Seals an answer to the keys that its link promises: see docs/encryption.md, “Sealed answers”.
import { findFragment, receiptOf, requirePromised, SealingError, sealKey } from '../../../client/sealing.js';
import { encryptFields } from './encryptForm.js';

const view = /** @type {HTMLElement} */ (document.getElementById('sealing'));
const { keys = '', token = '', unsealed = '', wrongReceipt = '', sentBefore = '' } = view.dataset;

/**
 * Resolves once the keys of this page are those that its link promises, before anything is entered. Undefined where the browser
 * cannot seal; the page then says that the server encrypts. Fails with the name of the reason: `swapped`, or `cutOff`.
 * @returns {Promise<import('./answer.js').Sealing | undefined>}
 */
export async function prepareSealing() {
  const fragment = findFragment(location.hash);
  if (fragment === undefined) throw new Error('cutOff');
  for (const link of document.querySelectorAll('a[href^="?"]')) {
    if (link instanceof HTMLAnchorElement) link.hash = fragment;
  }
  if (!globalThis.crypto.subtle) return sayUnsealed();
  await requirePromised(keys, fragment).catch(() => {
    throw new Error('swapped');
  });
  const isUsable = await sealKey('', keys, { token, answerId: '' }).then(() => true, isOtherwiseUsable);
  return isUsable
    ? {
        seal,
        wrongReceipt: (receipt) => wrongReceipt.replace('{receipt}', receipt),
        sentBefore: (receipt) => sentBefore.replace('{receipt}', receipt),
      }
    : sayUnsealed();
}

/** @param {unknown} error */
const isOtherwiseUsable = (error) => !(error instanceof SealingError);

function sayUnsealed() {
  view.textContent = unsealed;
  return undefined;
}

/** Replaces what the form sends by what only whoever asked can open, and returns its receipt. @param {FormData} fields */
async function seal(fields) {
  const place = { token, answerId: String(fields.get('formId')) };
  const sealedKey = await sealKey(await encryptFields(fields), keys, place);
  fields.set('sealedKey', sealedKey);
  return receiptOf(sealedKey, place);
}
