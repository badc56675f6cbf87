// The page that answers a request: sends the form once its button was held, and leaves the page only when the answer is stored.
// Whatever fails before that, what was entered is still there. Without this script the browser sends it as usual.
import './confirm.js';
import { takeToken } from './formToken.js';
import { createFormSending } from './sendForm.js';

/**
 * Seals what is sent, and says what receipt it gets. `refuse` shows in words why nothing can be sent.
 * @typedef {{
 *   seal(fields: FormData): Promise<string>,
 *   wrongReceipt(receipt: string): string,
 *   sentBefore(receipt: string): string,
 * }} Sealing
 */

const form = /** @type {HTMLFormElement} */ (document.getElementById('new-push'));
const payload = /** @type {HTMLTextAreaElement | null} */ (document.getElementById('payload'));
const files = /** @type {HTMLInputElement | null} */ (document.getElementById('files'));
const alternative = /** @type {HTMLElement} */ (document.querySelector('.alternative'));
const sending = createFormSending(form);
let isSent = false;

/**
 * Makes the form send what was entered, sealed if there is a sealing. Waits for that before anything can be entered; if it
 * fails, nothing can. @param {Promise<Sealing | undefined>} sealing
 */
export async function startAnswering(sealing = unsealed()) {
  if (payload) payload.autocomplete = 'off'; // or else browsers write it to the disk, to restore it
  window.addEventListener('beforeunload', (event) => {
    if (!isSent && (payload?.value || hasFiles())) event.preventDefault(); // the browser asks
  });
  form.addEventListener('submit', async (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    const fields = new FormData(form);
    sending.begin(hasFiles());
    await send(fields, await sealing);
  });
  form.inert = true;
  try {
    await sealing;
    form.inert = false;
  } catch (error) {
    form.remove();
    const problem = /** @type {HTMLElement} */ (document.getElementById('not-sealed'));
    problem.hidden = false;
    problem.textContent = problem.dataset[error instanceof Error ? error.message : ''] ?? problem.textContent;
  }
}

/** A page without keys, of a link that promises some, is not the one that was asked for. */
async function unsealed() {
  if (/#sealed-/i.test(location.hash)) throw new Error('swapped');
  return undefined;
}

/**
 * What this form has sent, by receipts: a response may have been lost, and the form is stored once.
 * @type {Map<string, string>}
 */
const sent = new Map();

/** Differs between what was entered. Without files, a form has one with no name, and the time. @param {FormData} fields */
const entriesOf = (fields) =>
  JSON.stringify(
    ['payload', 'name', 'files'].map((field) =>
      fields
        .getAll(field)
        .map((value) =>
          value instanceof File ? value.name && [value.name, value.size, value.lastModified] : value,
        ),
    ),
  );

/** @param {FormData} fields @param {Sealing | undefined} sealing */
async function send(fields, sealing) {
  const entries = entriesOf(fields);
  try {
    if (sealing) {
      sending.prepare(sending.messages.encrypting);
      sent.set(await sealing.seal(fields), entries);
    }
  } catch {
    return restore(sending.messages.unreadable);
  }
  sending.send(fields, {
    onResponse: (request) => onResponse(request, entries, sealing),
    onFailure: restore,
  });
}

const hasFiles = () => (files?.files?.length ?? 0) > 0;

/** @param {XMLHttpRequest} request @param {string} entries @param {Sealing | undefined} sealing */
function onResponse({ responseText, responseURL }, entries, sealing) {
  const withoutStyles = responseText.replace(/<style[\s\S]*?<\/style>/, ''); // whose nonce this page does not know
  const page = new DOMParser().parseFromString(withoutStyles, 'text/html');
  if (responseURL !== form.action) {
    const receipt = page.querySelector('.receipt')?.textContent ?? '';
    if (sealing && !sent.has(receipt)) return restore(sealing.wrongReceipt([...sent.keys()].join(', ')));
    if (sealing && sent.get(receipt) !== entries) return restore(sealing.sentBefore(receipt));
    isSent = true;
    location.assign(responseURL);
    return;
  }
  takeToken(page);
  const problems = page.querySelectorAll('main form .error, form .field-error');
  restore(
    [...problems].map(({ textContent }) => textContent).join(' ') ||
      page.querySelector('main p')?.textContent,
  );
}

/** Shows the form again, with its files and a message. @param {string | null | undefined} message */
function restore(message) {
  sending.setBusy(false);
  form.dispatchEvent(new Event('unsent'));
  for (const old of form.querySelectorAll('.error, .field-error')) old.remove();
  const alert = Object.assign(document.createElement('p'), {
    className: 'error',
    role: 'alert',
    tabIndex: -1,
  });
  alert.textContent = message ?? '';
  alternative.before(alert);
  alert.focus();
}
