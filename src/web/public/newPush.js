// The page of a new push: what depends on what was entered, and the keys that send it.
import { webAddress } from './parts/encryptForm.js';
import { changeInPlace } from './parts/inPlace.js';

const form = /** @type {HTMLFormElement} */ (document.getElementById('new-push'));
const payload = /** @type {HTMLTextAreaElement} */ (document.getElementById('payload'));
const kind = /** @type {HTMLSelectElement} */ (document.getElementById('kind'));
const offer = /** @type {HTMLElement} */ (document.getElementById('as-link'));
const asLink = /** @type {HTMLInputElement} */ (offer.querySelector('input'));
const summary = /** @type {HTMLElement} */ (document.getElementById('options-set'));
const generate = document.querySelector('[data-generate=payload]');

/** Lists the options that are set. */
function update() {
  const set = [...form.querySelectorAll('[data-set], [data-unset]')].flatMap((option) => {
    if (!(option instanceof HTMLElement) || option.matches(':disabled')) return [];
    const { set, unset } = option.dataset;
    const isText = option.matches('[type=text]') && option instanceof HTMLInputElement;
    return (isText ? option.value !== '' : option.matches(':checked') === (unset === undefined))
      ? [set ?? unset]
      : [];
  });
  const text = set.join(', ') || summary.dataset.none || '';
  if (summary.textContent !== text) summary.textContent = text;
}

/** One address alone can be shown as a link. It takes the place of the generator, since there is a secret already. */
function offerLink() {
  const isAddress = /^\s*https?:/i.test(payload.value) && webAddress(payload.value) !== undefined;
  if (!isAddress && !offer.hidden && asLink.checked) kind.value = 'text';
  offer.hidden = !isAddress;
  generate?.toggleAttribute('hidden', isAddress);
  asLink.checked = kind.value === 'url';
}

asLink.addEventListener('input', () => {
  kind.value = asLink.checked ? 'url' : 'text';
  update();
});
form.addEventListener('input', () => {
  offerLink();
  update();
});
form.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  form.requestSubmit();
});
window.addEventListener('pageshow', () => {
  offerLink(); // browsers may restore what was entered
  update();
});
// On phones, a field with the focus would open the keyboard over the page.
if (matchMedia('(pointer: fine)').matches && document.activeElement === document.body) payload.focus();
changeInPlace(update);
