// Forms that a passkey completes (WebAuthn, Level 3). `data-passkey` has what the browser is asked for, but for the challenge, which
// comes from `data-challenge` at that moment. Without passkeys in the browser, such a form stays hidden.

/** Less than a challenge lasts. */
const offeredMs = 4 * 60_000;
/** Ends what is offered in the field of the e-mail address: a browser does one thing at a time. */
let offer = new AbortController();

if ('PublicKeyCredential' in window) {
  for (const each of document.querySelectorAll('[data-without-passkeys]')) each.remove();
  for (const form of document.querySelectorAll('form[data-passkey]'))
    if (form instanceof HTMLFormElement) open(form);
}

/** @param {HTMLFormElement} form */
function open(form) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    complete(form);
  });
  if (form.dataset.offered) offerInField(form);
}

/** @param {HTMLFormElement} form */
async function complete(form) {
  const message = form.querySelector('[role=alert]');
  const button = form.querySelector('button');
  offer.abort();
  if (button) button.disabled = true;
  if (message) message.textContent = '';
  try {
    send(form, await ask(form));
  } catch (error) {
    const { exists, cancelled, failed } = form.dataset;
    const name = error instanceof DOMException ? error.name : '';
    const text = { InvalidStateError: exists, NotAllowedError: cancelled, AbortError: cancelled }[name];
    if (message) message.textContent = text ?? failed ?? '';
    if (form.dataset.offered) offerInField(form);
  } finally {
    if (button) button.disabled = false;
  }
}

/** Browsers that can offer passkeys where the e-mail address is typed. @param {HTMLFormElement} form */
async function offerInField(form) {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  for (let isOld = true; isOld; ) {
    const current = new AbortController();
    offer = current;
    isOld = false;
    const timer = window.setTimeout(() => {
      isOld = true;
      current.abort();
    }, offeredMs);
    try {
      send(form, await ask(form, { mediation: 'conditional', signal: current.signal }));
    } catch {
      // It was declined, or is over: then another one is offered, or the button does the same.
    }
    window.clearTimeout(timer);
  }
}

/** @param {HTMLFormElement} form @param {CredentialRequestOptions} how */
async function ask(form, how = {}) {
  const { passkey = '', challenge: address = '' } = form.dataset;
  const options = JSON.parse(passkey);
  options.challenge = toBytes((await (await fetch(address)).json()).challenge);
  for (const known of [...(options.excludeCredentials ?? []), ...(options.allowCredentials ?? [])])
    known.id = toBytes(known.id);
  if (!options.user) return navigator.credentials.get({ ...how, publicKey: options });
  options.user.id = toBytes(options.user.id);
  return navigator.credentials.create({ publicKey: options });
}

/** What password managers return has no `toJSON`, so that it is written here. @param {HTMLFormElement} form @param {any} credential */
function send(form, { id, type, response }) {
  const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature'];
  const sent = names.filter((name) => response[name]).map((name) => [name, toText(response[name])]);
  const transports = response.getTransports?.();
  const field = form.querySelector('[data-answer]');
  if (!(field instanceof HTMLInputElement)) return;
  field.value = JSON.stringify({ id, type, response: { ...Object.fromEntries(sent), transports } });
  form.submit();
}

/** @param {string} text */
const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));

/** @param {ArrayBuffer} bytes */
const toText = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
