// The page of a new push: adds the key and the passphrase, which only this tab has, to what the service knows. The message
// names the end as its sender reads it, with the zone. Where there is a share sheet, it comes first.
import { drawQr } from './parts/drawQr.js';
import { endFormat } from './parts/readerLocale.js';

const link = document.getElementById('link');
const [key, passphrase] = ['', '#passphrase'].map((part) => sessionStorage.getItem(location.pathname + part));
if (key && link instanceof HTMLTextAreaElement) addKey(link, key);
if (passphrase) addPassphrase(passphrase);
const share = document.querySelector('button[data-share]');
if (share instanceof HTMLButtonElement && link instanceof HTMLTextAreaElement) offerShare(share, link);

document.querySelector('[data-print]')?.addEventListener('click', () => window.print());

/** @param {HTMLTextAreaElement} field @param {string} key */
function addKey(field, key) {
  const link = field.value;
  const complete = link === '' ? key : `${link}#${key}`;
  field.value = complete;
  if (link !== '') replaceInMessage(link, complete);
  const whole = document.getElementById('with-key');
  const code = document.querySelector('svg.qr-code');
  if (code instanceof SVGSVGElement) drawQr(code, complete, whole?.dataset.encoder ?? '');
  whole?.removeAttribute('hidden');
  document.getElementById('key-gone')?.remove();
}

/** @param {string} passphrase */
function addPassphrase(passphrase) {
  const field = document.getElementById('passphrase');
  if (field instanceof HTMLTextAreaElement) field.value = passphrase;
  document.getElementById('passphrase-again')?.removeAttribute('hidden');
}

/** Sharing that is cancelled, or fails there, changes nothing here. @param {HTMLButtonElement} button @param {HTMLTextAreaElement} link */
function offerShare(button, link) {
  const { title = '', share = '', until = '', untilText = '' } = button.dataset;
  const localUntil = endFormat.format(new Date(until));
  replaceInMessage(untilText, localUntil);
  const text = share.replace(untilText, localUntil);
  if (!('share' in navigator)) return;
  button.hidden = false;
  button.nextElementSibling?.classList.add('secondary'); // the one that copies
  button.addEventListener('click', () => navigator.share({ title, text, url: link.value }).catch(() => {}));
}

/** Replaces a part of the message that goes with the link, wherever this page has it. @param {string} text @param {string} replacement */
function replaceInMessage(text, replacement) {
  const message = document.getElementById('message');
  if (message instanceof HTMLTextAreaElement) message.value = message.value.replace(text, replacement);
  for (const program of document.querySelectorAll('a[href^="mailto:"], a[href^="sms:"]')) {
    const address = program.getAttribute('href') ?? '';
    program.setAttribute('href', address.replace(encodeURIComponent(text), encodeURIComponent(replacement)));
  }
}
