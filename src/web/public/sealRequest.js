// The page of a new request link: creates the key that opens its answers, which never leaves this browser as it is.
import { createOpeningKey } from '../../client/sealing.js';
import { wrapKey, wrapKeyByPasskey } from '../../client/wrappedKey.js';
import { askPasskey, knowsSecrets } from './parts/passkeySecret.js';

const choice = /** @type {HTMLSelectElement} */ (document.getElementById('sealing'));
const form = /** @type {HTMLFormElement} */ (choice.form);
const field = /** @type {HTMLElement} */ (document.getElementById('opening-field'));
const passphrase = /** @type {HTMLInputElement} */ (document.getElementById('opening-passphrase'));
const button = /** @type {HTMLButtonElement} */ (form.querySelector('button[type=submit]'));
const problem = /** @type {HTMLElement} */ (document.getElementById('passkey-problem'));
const hint = /** @type {HTMLElement} */ (document.getElementById('sealing-hint'));
const { dataset: hints } = /** @type {HTMLElement} */ (document.getElementById('sealing-fields'));
const inputs = ['publicKeys', 'wrappedKey'].map((name) => form.elements.namedItem(name));
const [publicKeys, wrappedKey] = /** @type {[HTMLInputElement, HTMLInputElement]} */ (inputs);
/** Ends what a passkey is asked for. */
let asking = new AbortController();

if (globalThis.crypto.subtle) start();
else choice.value = 'server';
update();

function start() {
  offerPasskey();
  choice.addEventListener('change', update);
  window.addEventListener('pageshow', update); // browsers may restore what was chosen
  form.addEventListener('submit', (event) => {
    if (choice.value === 'server') return;
    event.preventDefault();
    if (!button.disabled) create();
  });
}

/** Takes the choice away where the browser cannot do it. */
async function offerPasskey() {
  const option = choice.querySelector('option[value=passkey]');
  if (option === null || (await knowsSecrets())) return;
  option.remove();
  update();
}

/** Shows what belongs to the choice. A key is for one link: on the way back there is a new one. */
function update() {
  const isSecure = Boolean(globalThis.crypto.subtle);
  choice.disabled = !isSecure;
  hint.textContent = hints[isSecure ? choice.value : 'insecure'] ?? '';
  field.hidden = passphrase.disabled = choice.value !== 'passphrase';
  publicKeys.value = wrappedKey.value = problem.textContent = '';
  asking.abort();
  button.disabled = false;
}

async function create() {
  button.disabled = true;
  const created = await createOpeningKey().catch(() => undefined);
  if (created === undefined) {
    choice.value = 'server'; // which the page then says
    return update();
  }
  const wrapped = await wrap(created);
  if (wrapped === undefined) return;
  wrappedKey.value = wrapped;
  publicKeys.value = created.publicKeys;
  sessionStorage.setItem(`opening ${created.publicKeys}`, created.openingKey); // for the page of the new link
  button.disabled = false;
  form.submit();
}

/** The key as the server stores it; empty if it is in a link, and undefined if the passkey was not used, which is then said. */
async function wrap(/** @type {{ openingKey: string, publicKeys: string }} */ keys) {
  if (choice.value === 'passphrase') return wrapKey(keys.openingKey, passphrase.value);
  if (choice.value !== 'passkey') return '';
  problem.textContent = '';
  asking = new AbortController();
  const { signal } = asking;
  const salt = crypto.getRandomValues(new Uint8Array(32));
  const used = await askPasskey(JSON.parse(hints.passkeyOptions ?? ''), salt, { signal });
  if (signal.aborted) return undefined; // another choice was made
  button.disabled = false;
  if (typeof used !== 'string') return wrapKeyByPasskey(keys, { ...used, salt });
  problem.textContent = hints[used] ?? '';
  button.focus();
  return undefined;
}
