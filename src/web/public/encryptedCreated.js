// The page of a new push that this tab encrypted: adds the key, which nothing else has, to its link.
import { drawQr } from './parts/drawQr.js';
import { replaceInMessage } from './parts/messageToSend.js';

const key = sessionStorage.getItem(location.pathname);
const whole = document.getElementById('with-key');
if (key !== null && whole) addKey(whole, key);

/** @param {HTMLElement} whole @param {string} key */
function addKey(whole, key) {
  const field = /** @type {HTMLTextAreaElement} */ (document.getElementById('link'));
  const link = field.value;
  const complete = link === '' ? key : `${link}#${key}`;
  field.value = complete;
  if (link !== '') replaceInMessage(link, complete);
  const code = whole.querySelector('svg.qr-code');
  if (code instanceof SVGSVGElement) drawQr(code, complete, whole.dataset.encoder ?? '');
  whole.hidden = false;
  document.getElementById('key-gone')?.remove();
}
