// The page of a revealed secret that its sender encrypted: decrypts it, before the scripts of other secrets run.
import { fileSize, openFile, openSecret } from '../../../client/encryption.js';
import { findKey } from '../../../client/findKey.js';
import { safeFilename } from '../../../client/safeFilename.js';
import { drawQr } from './drawQr.js';
import { saveChunks } from './saveChunks.js';
import { sizeOf } from './sizes.js';
import { isLong, piecesOf } from './textPieces.js';

const view = /** @type {HTMLElement} */ (document.getElementById('encrypted'));
const reports = /** @type {Record<string, string>} */ ({ ...view.dataset });
const keyForm = /** @type {HTMLFormElement} */ (document.getElementById('key-form'));
const keyEntry = /** @type {HTMLInputElement} */ (document.getElementById('key'));
const report = /** @type {HTMLElement} */ (document.getElementById('decryption'));

history.replaceState(null, '', location.href); // a reload is no form
if (globalThis.crypto.subtle) await showDecrypted();
else tell(reports.insecure, 'error');

async function showDecrypted() {
  const { key, secret } = await decrypt(document.getElementById('sealed')?.textContent ?? '');
  keyForm.remove();
  tell('');
  await showText(secret);
  const files = [...view.querySelectorAll('.files a')].filter((link) => link instanceof HTMLAnchorElement);
  for (const [index, link] of files.entries()) {
    const { name } = secret.files[index] ?? {};
    if (name === undefined) link.closest('li')?.remove();
    else offerFile(link, { key, number: index + 1, name: safeFilename(name) });
  }
  if (files.length !== secret.files.length) tell(reports.damaged, 'error');
  view.querySelector('#decrypted')?.removeAttribute('hidden');
}

/** Says what happens, or what is wrong. @param {string | undefined} text @param {'' | 'error'} kind */
function tell(text = '', kind = '') {
  if (report.textContent === text) return; // screen readers read each change
  report.textContent = text;
  report.className = kind;
}

/** Resolves once there is a key that opens the payload; asks for it until then. @param {string} payload */
async function decrypt(payload) {
  for (let text = location.hash; ; text = await askForKey()) {
    const key = findKey(text);
    const secret = key && (await openSecret(key, payload).catch(() => undefined));
    if (key && secret) {
      history.replaceState(null, '', `#${key}`); // a reload shows it again
      return { key, secret };
    }
    if (key) tell(reports.wrong, 'error');
    else tell(reports.missing);
  }
}

/** @returns {Promise<string>} */
function askForKey() {
  keyForm.hidden = false;
  keyEntry.focus();
  return new Promise((resolve) => {
    keyForm.onsubmit = (event) => {
      event.preventDefault();
      resolve(keyEntry.value);
    };
  });
}

/** @param {import('../../../client/encryption.js').Secret} secret */
async function showText({ kind, text }) {
  if (kind === 'file' && text === '') return;
  const isAddress = kind === 'url' && /^https?:/i.test(text) && URL.canParse(text); // the sender may be anybody
  const template = document.getElementById(`of-${kind === 'url' && !isAddress ? 'text' : kind}`);
  if (!(template instanceof HTMLTemplateElement)) return;
  template.replaceWith(template.content);
  const element = document.getElementById('secret');
  if (element === null) return;
  fill(element, text);
  const host = view.querySelector('.url-host strong');
  if (host && element instanceof HTMLAnchorElement) {
    element.href = text;
    host.textContent = new URL(text).host;
  }
  const code = view.querySelector('svg.qr-code');
  if (code instanceof SVGSVGElement) await drawQr(code, text, reports.encoder ?? '');
}

/** Shows a text as the service shows others (longText.ts). @param {HTMLElement} element @param {string} text */
function fill(element, text) {
  const lines = text.replace(/\r\n?/g, '\n');
  element.replaceChildren(...(isLong(lines) ? piecesOf(lines).flatMap(nodesOf) : [lines]));
  if (lines === text) return;
  const exact = Object.assign(document.createElement('pre'), {
    hidden: true,
    textContent: JSON.stringify(text),
  });
  exact.dataset.exact = element.id; // for copy.js
  element.after(exact);
}

/** @param {import('./textPieces.js').TextPiece} piece */
function nodesOf({ text, breaks, className }) {
  if (text === '') return [breaks];
  const span = document.createElement('span');
  span.textContent = text;
  if (className) span.className = className;
  return [span, breaks];
}

/** @typedef {{ key: string, number: number, name: string }} OfferedFile */

/** @param {HTMLAnchorElement} link @param {OfferedFile} file */
function offerFile(link, file) {
  const name = link.querySelector('bdi');
  const label = link.nextElementSibling;
  const size = fileSize(file.key, Number(link.dataset.size));
  if (name) name.textContent = file.name;
  if (label) label.textContent = sizeOf(size);
  let isBusy = false;
  link.addEventListener('click', async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    await fetchFile(link, file, size).catch(() => {
      tell(reports.fileFailed?.replace('{name}', file.name), 'error');
    });
    isBusy = false;
  });
}

/** Saves a file once all of it is decrypted. @param {HTMLAnchorElement} link @param {OfferedFile} file @param {number} size */
async function fetchFile(link, { key, number, name }, size) {
  const percents = new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' });

  async function* decrypted() {
    const response = await fetch(link.href);
    const { body } = response;
    if (!response.ok || !body) throw new Error(`status ${response.status}`);
    let done = 0;
    for await (const part of openFile(key, number, body)) {
      yield part;
      done += part.length;
      const percent = percents.format(size === 0 ? 1 : done / size);
      tell(reports.decrypting?.replace('{name}', name).replace('{percent}', percent));
    }
    if (done !== size) throw new Error('another size');
  }

  const isWritten = await saveChunks(decrypted(), { name, size });
  tell(isWritten ? reports.saved?.replace('{name}', name) : '');
}
