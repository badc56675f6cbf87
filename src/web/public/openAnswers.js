// The page of a sealed request link, for whoever asked: with the key that only they have, it shows the whole link, checks the
// receipts, and opens the keys of the answers.
import { findKey } from '../../client/findKey.js';
import { createAnswerOpener, fragmentOf, SealingError } from '../../client/sealing.js';
import { findPasskey, unwrapKey, unwrapKeyByPasskey } from '../../client/wrappedKey.js';
import { askPasskey } from './parts/passkeySecret.js';

const view = /** @type {HTMLElement} */ (document.getElementById('sealing'));
const texts = /** @type {Record<string, string>} */ ({ ...view.dataset });
const { keys = '', wrapped = '', token = '' } = texts;
const form = /** @type {HTMLFormElement} */ (document.getElementById('unlock'));
const entry = /** @type {HTMLInputElement} */ (document.getElementById('opening')); // but for a passkey
const report = /** @type {HTMLElement} */ (document.getElementById('sealing-report'));
const stored = `opening ${keys}`;
const passkey = findPasskey(wrapped);
let isBusy = false;

if (globalThis.crypto.subtle) await unlock();
else tell(texts.insecure);

/** Asks until there is a key that belongs to the link. */
async function unlock() {
  const own = findKey(location.hash) ?? sessionStorage.getItem(stored) ?? undefined;
  for (let key = own; ; key = await askForKey()) {
    if (!key) continue;
    try {
      const open = await createAnswerOpener(key, keys, token);
      sessionStorage.setItem(stored, key); // a reload is open, too
      return await show(key, open);
    } catch (error) {
      tell(
        error instanceof SealingError && error.code === 'unsupported' ? texts.insecure : texts.wrong,
        'error',
      );
    }
  }
}

/** Says what is wrong. @param {string | undefined} text */
function tell(text = '', kind = '') {
  report.textContent = text;
  report.className = kind;
}

/** The key that was entered, or that belongs to the passphrase or the passkey; undefined if that is none, which is then said. */
function askForKey() {
  form.hidden = false;
  return new Promise((/** @type {(key: string | undefined) => void} */ resolve) => {
    form.onsubmit = async (event) => {
      event.preventDefault();
      if (isBusy) return; // a browser asks for one passkey at a time
      isBusy = true;
      resolve(await (passkey ? keyByPasskey(passkey) : enteredKey()));
      isBusy = false;
    };
  });
}

async function enteredKey() {
  const key = wrapped ? await unwrapKey(wrapped, entry.value).catch(() => undefined) : findKey(entry.value);
  if (key === undefined) tell(texts.missing, 'error');
  return key;
}

/** @param {NonNullable<typeof passkey>} passkey */
async function keyByPasskey({ salt }) {
  tell('');
  const used = await askPasskey(JSON.parse(texts.passkeyOptions ?? ''), salt);
  const key =
    typeof used === 'string'
      ? undefined
      : await unwrapKeyByPasskey({ wrapped, publicKeys: keys }, used.secret).catch(() => undefined);
  if (key === undefined) tell(texts[typeof used === 'string' ? used : 'missing'], 'error');
  return key;
}

/** @param {string} key @param {Awaited<ReturnType<typeof createAnswerOpener>>} open */
async function show(key, open) {
  form.remove();
  tell('');
  const link = document.getElementById('link');
  if (link instanceof HTMLTextAreaElement) {
    link.value += `#${await fragmentOf(keys)}`;
    document.getElementById('whole-link')?.removeAttribute('hidden');
  }
  const own = document.getElementById('own');
  const isNew = /[?&]done=created/.test(location.search); // also by mail
  if (own instanceof HTMLTextAreaElement && isNew && !wrapped) {
    own.value = `${location.origin}${location.pathname}#${key}`;
    document.getElementById('own-link')?.removeAttribute('hidden');
  }
  for (const element of document.querySelectorAll('[data-sealed-key]')) {
    if (element instanceof HTMLElement) await openAnswer(element, open);
  }
}

/** @param {HTMLElement} element @param {Awaited<ReturnType<typeof createAnswerOpener>>} open */
async function openAnswer(element, open) {
  const { sealedKey = '', answerId = '' } = element.dataset;
  const { key } = await open({ sealedKey, answerId, receipt: element.textContent });
  const link = element.closest('li')?.querySelector('a.button');
  if (key === undefined) {
    link?.remove();
    const problem = Object.assign(document.createElement('p'), {
      className: 'error',
      textContent: texts.tampered,
    });
    element.closest('p')?.after(problem);
  } else if (link instanceof HTMLAnchorElement) {
    link.hash = key;
    link.hidden = false;
  }
}
