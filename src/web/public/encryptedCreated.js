// The page of a new push that this tab encrypted: adds the key, which nothing else has, to its link.
import { drawQr } from './drawQr.js';

const key = sessionStorage.getItem(location.pathname);
const whole = document.getElementById('with-key');
if (key !== null && whole) addKey(whole, key);

/** @param {HTMLElement} whole @param {string} key */
function addKey(whole, key) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById('link'));
  const link = field.value;
  const complete = link === '' ? key : `${link}#${key}`;
  field.value = complete;
  const message = document.getElementById('message');
  if (message instanceof HTMLTextAreaElement) message.value = message.value.replace(link, complete);
  for (const program of whole.querySelectorAll('a[href^="mailto:"], a[href^="sms:"]')) {
    const address = program.getAttribute('href') ?? '';
    program.setAttribute('href', address.replace(encodeURIComponent(link), encodeURIComponent(complete)));
  }
  const code = whole.querySelector('svg.qr-code');
  if (code instanceof SVGSVGElement) drawQr(code, complete, whole.dataset.encoder ?? '');
  whole.hidden = false;
  document.getElementById('key-gone')?.remove();
}
