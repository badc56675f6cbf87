// Buttons that copy or download the exact text of an element. `data-copy` and `data-download` hold its id.
import { saveFile } from './parts/saveFile.js';

for (const button of document.querySelectorAll('button')) {
  if (button.dataset.copy) button.addEventListener('click', () => copy(button));
  if (button.dataset.download) button.addEventListener('click', () => download(button));
}

/** What is not to be translated, as it was when the page was loaded: some extensions change it nevertheless. */
const originals = new Map(
  [...document.querySelectorAll('[translate=no][id]:not(textarea)')].map((each) => [each, readText(each)]),
);

// A click selects the whole text, unless the reader selects a part of it.
for (const text of document.querySelectorAll('textarea')) {
  if (text.matches('.whole-text'))
    text.addEventListener('click', () => text.selectionStart === text.selectionEnd && text.select());
}

/** @param {HTMLButtonElement} button */
async function copy(button) {
  const source = document.getElementById(button.dataset.copy ?? '');
  if (!source) return;
  const isCopied = await writeToClipboard(textOf(source));
  const status = document.getElementById('copy-status');
  if (status) {
    status.classList.toggle('visually-hidden', isCopied); // the button shows it as well
    status.textContent = (isCopied ? button.dataset.copied : button.dataset.copyFailed) ?? '';
  }
  if (!isCopied) return selectShown(source);
  const label = button.textContent;
  button.textContent = button.dataset.copied ?? label;
  window.setTimeout(() => {
    button.textContent = label;
    if (status) status.textContent = '';
  }, 2_000);
}

/** So that the reader can copy it: what is blurred is shown. @param {HTMLElement} source */
function selectShown(source) {
  const blurred = source.closest('.blurred');
  if (blurred instanceof HTMLElement) blurred.click();
  if (source instanceof HTMLTextAreaElement) source.select();
  else getSelection()?.selectAllChildren(source);
}

/** @param {Element} source */
const textOf = (source) => originals.get(source) ?? readText(source);

/** HTML changes some characters, such as carriage returns; such a text is also in `data-exact`, as JSON. @param {Element} source */
function readText(source) {
  const exact = document.querySelector(`[data-exact="${source.id}"]`);
  if (exact !== null) return String(JSON.parse(exact.textContent ?? ''));
  return ('value' in source ? String(source.value) : source.textContent) ?? '';
}

/** Browsers offer the clipboard over HTTPS only, so elsewhere `execCommand` copies. @param {string} text */
async function writeToClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = document.activeElement;
    const field = document.createElement('textarea');
    field.value = text;
    field.readOnly = true;
    field.className = 'visually-hidden';
    field.ariaHidden = 'true';
    document.body.append(field); // the source may be inert
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isCopied;
  }
}

/** @param {HTMLButtonElement} button */
function download({ dataset }) {
  const source = document.getElementById(dataset.download ?? '');
  if (source) saveFile(new Blob([textOf(source)], { type: 'text/plain;charset=utf-8' }), 'secret.txt');
}
