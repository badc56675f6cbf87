// Sends the form for a new push, and leaves its page only once the push exists: whatever fails before that, what was entered
// is still there. Without this script the browser sends it as usual.
import { encryptFields, webAddress } from './parts/encryptForm.js';
import { inputs, takeToken } from './parts/formToken.js';
import { createFormSending } from './parts/sendForm.js';

const form = /** @type {HTMLFormElement} */ (document.getElementById('new-push'));
const payload = /** @type {HTMLTextAreaElement} */ (document.getElementById('payload'));
const input = /** @type {HTMLInputElement | null} */ (document.getElementById('files'));
const encrypt = /** @type {HTMLInputElement | null} */ (document.getElementById('encrypt'));
const sending = createFormSending(form);
const { messages } = sending;

let isSent = false;
/** Whether a session has ended, and the sender may be signing in elsewhere. */
let isSignedOut = false;

payload.autocomplete = 'off'; // or else browsers write it to the disk, to restore it
window.addEventListener('beforeunload', (event) => {
  if (!isSent && isFilledIn()) event.preventDefault(); // the browser asks
});
form.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return;
  event.preventDefault();
  submit({ submitter: event.submitter });
});
document.addEventListener('visibilitychange', goOnOnceSignedIn);
if (encrypt && globalThis.crypto.subtle) {
  encrypt.disabled = false; // before, it would promise what nothing keeps
  encrypt.closest('[hidden]')?.removeAttribute('hidden');
}
payload.addEventListener('input', () =>
  payload.setCustomValidity(isTooLong() ? (messages.tooLong ?? '') : ''),
);

/** Counted in characters, as by the service. */
function isTooLong() {
  const { value } = payload;
  const max = Number(messages.textMax);
  return value.length > max && [...value].length > max;
}

/** Whether there is a text or a file that leaving the page would lose. */
function isFilledIn() {
  /** @type {NodeListOf<HTMLTextAreaElement | HTMLInputElement>} */
  const texts = form.querySelectorAll('textarea[name], input[type=text][name]');
  return hasFiles() || [...texts].some(({ value, defaultValue }) => value !== defaultValue);
}

const hasFiles = () => (input?.files?.length ?? 0) > 0;

/** @param {{ submitter?: HTMLElement | null, isRetry?: boolean }} options */
async function submit({ submitter = null, isRetry = false } = {}) {
  const fields = new FormData(form, submitter);
  const isEncrypted = encrypt?.checked && !encrypt.disabled;
  if (isEncrypted && fields.get('kind') === 'url' && !webAddress(payload.value)) {
    payload.setCustomValidity(messages.address ?? '');
    payload.reportValidity();
    return;
  }
  sending.begin(hasFiles());
  try {
    const passphrase = String(fields.get('passphrase')).trim();
    send(fields, { passphrase, isRetry, key: isEncrypted ? await encrypted(fields) : '' });
  } catch {
    restore(messages.unreadable);
  }
}

/** Encrypts what is sent, and returns the key. @param {FormData} fields */
function encrypted(fields) {
  sending.prepare(messages.encrypting);
  return encryptFields(fields);
}

/** What was sent: the key, the passphrase, and whether for a second time. @typedef {{ key: string, passphrase: string, isRetry: boolean }} Sent */

/** @param {FormData} fields @param {Sent} sent */
const send = (fields, sent) =>
  sending.send(fields, { onResponse: (request) => handleResponse(request, sent), onFailure: restore });

/** Shows the form again, with its files and a message. @param {(string | Node | undefined)[]} message */
function restore(...message) {
  sending.setBusy(false);
  for (const old of document.querySelectorAll('main .error, form .field-error')) old.remove();
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
  const submit = /** @type {HTMLElement} */ (form.querySelector('button[type=submit]'));
  const alert = Object.assign(document.createElement('p'), { className: 'error', role: 'alert' });
  alert.append(...message.map((part) => part ?? ''));
  submit.before(alert);
  submit.focus();
}

/** Goes to the page of the new push. On the way back, browsers may show this page as it was left. @param {string} address */
function leaveTo(address) {
  isSent = true;
  window.addEventListener('pageshow', () => location.reload());
  location.assign(address);
}

/**
 * A form in the response would lack its files, so only its problems and its token are taken over. The key and the passphrase do
 * not leave this tab: the page of the new push takes them from there.
 * @param {XMLHttpRequest} request
 * @param {Sent} sent
 */
function handleResponse({ responseText, responseURL }, { key, passphrase, isRetry }) {
  if (responseURL !== form.action) {
    const { pathname } = new URL(responseURL);
    if (key) sessionStorage.setItem(pathname, key);
    if (passphrase) sessionStorage.setItem(`${pathname}#passphrase`, passphrase);
    leaveTo(responseURL);
    return;
  }
  const page = new DOMParser().parseFromString(responseText, 'text/html');
  const main = page.querySelector('main');
  if (main === null) restore(messages.broken);
  else if (!page.getElementById('new-push')) restore(main.querySelector('p')?.textContent ?? '');
  else if (takeToken(page) && !isRetry && page.querySelector('[data-outdated=stale]'))
    submit({ isRetry: true });
  else showProblems(page);
}

/** Sends the form again once its account is back. */
async function goOnOnceSignedIn() {
  if (!isSignedOut || document.hidden) return;
  const page = new DOMParser().parseFromString(await (await fetch(form.action)).text(), 'text/html');
  const [account, newAccount] = inputs(page, 'account');
  if (!isSignedOut || !account || newAccount?.value !== account.value) return;
  isSignedOut = false;
  takeToken(page);
  submit();
}

/** @param {Document} page */
function showProblems(page) {
  isSignedOut = page.querySelector('[data-outdated=ended]') !== null;
  form.querySelector('[name=anonymous]')?.toggleAttribute('hidden', !isSignedOut);
  restore(...(page.querySelector('main .error')?.childNodes ?? []));
  for (const problem of page.querySelectorAll('form .field-error')) {
    const control = document.getElementById(problem.id.replace(/-problem$/, ''));
    const field = control?.closest('.field');
    if (!control || !field) continue;
    control.ariaInvalid = 'true';
    field.append(problem);
    const details = field.closest('details');
    if (details) details.open = true;
  }
  const first = form.querySelector('[aria-invalid]');
  if (first instanceof HTMLElement) first.focus();
}
