// The retrieval step of an encrypted push: takes the key from the link, and asks for it where it is missing, before a view
// is used. The field has no name, so forms do not send it.
import { findKey } from '../../../client/findKey.js';

const keyField = document.getElementById('key-field');
const keyInput = document.getElementById('key');
if (keyField && keyInput instanceof HTMLInputElement) requireKey(keyField, keyInput);

/** @param {HTMLElement} field @param {HTMLInputElement} input */
function requireKey(field, input) {
  const { missing = '', found = '', insecure = '' } = field.dataset;
  const hint = document.getElementById('key-hint');
  input.addEventListener('input', () => take(input.value));
  window.addEventListener('hashchange', takeFromLink);
  takeFromLink();

  function takeFromLink() {
    field.hidden = input.disabled = take(location.hash);
  }

  /** Returns whether a text has a whole key, which then stays in the address. @param {string} text */
  function take(text) {
    const isSecure = Boolean(globalThis.crypto.subtle);
    const key = isSecure ? findKey(text) : undefined;
    const problem = isSecure ? missing : insecure;
    input.setCustomValidity(key ? '' : problem);
    if (hint) hint.textContent = key ? found : problem;
    if (key) saveInAddress(key);
    return key !== undefined;
  }
}

/** The key is never sent: it stays in the address, through the form and the links of the page. @param {string} key */
function saveInAddress(key) {
  history.replaceState(history.state, '', `#${key}`);
  document.querySelector('form')?.setAttribute('action', `#${key}`);
  for (const link of document.querySelectorAll('a[href^="?"]')) {
    if (link instanceof HTMLAnchorElement) link.hash = key;
  }
}
