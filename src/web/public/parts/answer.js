// The page that answers a request: sends the form once its button was held, and leaves the page only when the answer is stored.
// Whatever fails before that, what was entered is still there. Without this script the browser sends it as usual.
import './confirm.js';
import { takeToken } from './formToken.js';
import { createFormSending } from './sendForm.js';

const form = /** @type {HTMLFormElement} */ (document.getElementById('new-push'));
const payload = /** @type {HTMLTextAreaElement | null} */ (document.getElementById('payload'));
const files = /** @type {HTMLInputElement | null} */ (document.getElementById('files'));
const alternative = /** @type {HTMLElement} */ (document.querySelector('.alternative'));
const sending = createFormSending(form);
let isSent = false;

if (payload) payload.autocomplete = 'off'; // or else browsers write it to the disk, to restore it
window.addEventListener('beforeunload', (event) => {
  if (!isSent && (payload?.value || hasFiles())) event.preventDefault(); // the browser asks
});
form.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return;
  event.preventDefault();
  const fields = new FormData(form);
  sending.begin(hasFiles());
  sending.send(fields, { onResponse, onFailure: restore });
});

const hasFiles = () => (files?.files?.length ?? 0) > 0;

/** @param {XMLHttpRequest} request */
function onResponse({ responseText, responseURL }) {
  if (responseURL !== form.action) {
    isSent = true;
    location.assign(responseURL);
    return;
  }
  const withoutStyles = responseText.replace(/<style[\s\S]*?<\/style>/, ''); // whose nonce this page does not know
  const page = new DOMParser().parseFromString(withoutStyles, 'text/html');
  takeToken(page);
  const problems = page.querySelectorAll('main .error, form .field-error');
  restore(
    [...problems].map(({ textContent }) => textContent).join(' ') ||
      page.querySelector('main p')?.textContent,
  );
}

/** Shows the form again, with its files and a message. @param {string | null | undefined} message */
function restore(message) {
  sending.setBusy(false);
  form.dispatchEvent(new Event('unsent'));
  for (const old of document.querySelectorAll('main .error, form .field-error')) old.remove();
  const alert = Object.assign(document.createElement('p'), {
    className: 'error',
    role: 'alert',
    tabIndex: -1,
  });
  alert.textContent = message ?? '';
  alternative.before(alert);
  alert.focus();
}
