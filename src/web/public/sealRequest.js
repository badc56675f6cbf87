// The page of a new request link: creates the key that opens its answers, which never leaves this browser as it is.
import { createOpeningKey, wrapKey } from '../../client/sealing.js';

const choice = /** @type {HTMLSelectElement} */ (document.getElementById('sealing'));
const form = /** @type {HTMLFormElement} */ (choice.form);
const field = /** @type {HTMLElement} */ (document.getElementById('opening-field'));
const passphrase = /** @type {HTMLInputElement} */ (document.getElementById('opening-passphrase'));
const button = /** @type {HTMLButtonElement} */ (form.querySelector('button[type=submit]'));
const hint = /** @type {HTMLElement} */ (document.getElementById('sealing-hint'));
const { dataset: hints } = /** @type {HTMLElement} */ (document.getElementById('sealing-fields'));
const inputs = ['publicKeys', 'wrappedKey'].map((name) => form.elements.namedItem(name));
const [publicKeys, wrappedKey] = /** @type {[HTMLInputElement, HTMLInputElement]} */ (inputs);

if (globalThis.crypto.subtle) start();
else choice.value = 'server';
update();

function start() {
  choice.addEventListener('change', update);
  window.addEventListener('pageshow', update); // browsers may restore what was chosen
  form.addEventListener('submit', (event) => {
    if (choice.value === 'server') return;
    event.preventDefault();
    if (!button.disabled) create();
  });
}

/** Shows what belongs to the choice. A key is for one link: on the way back there is a new one. */
function update() {
  const isSecure = Boolean(globalThis.crypto.subtle);
  choice.disabled = !isSecure;
  hint.textContent = hints[isSecure ? choice.value : 'insecure'] ?? '';
  field.hidden = passphrase.disabled = choice.value !== 'passphrase';
  publicKeys.value = wrappedKey.value = '';
  button.disabled = false;
}

async function create() {
  button.disabled = true;
  const created = await createOpeningKey().catch(() => undefined);
  if (created === undefined) {
    choice.value = 'server'; // which the page then says
    return update();
  }
  if (choice.value === 'passphrase') wrappedKey.value = await wrapKey(created.openingKey, passphrase.value);
  publicKeys.value = created.publicKeys;
  sessionStorage.setItem(`opening ${created.publicKeys}`, created.openingKey); // for the page of the new link
  button.disabled = false;
  form.submit();
}
