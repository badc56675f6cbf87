// The page before a secret, or that sends one. Holding the button and letting go of it submits the form, which otherwise needs a
// word.
import '../showTyped.js';

const holdMs = 700;
const staleMs = 9 * 60_000;
const loadedAt = Date.now();

const form = /** @type {HTMLFormElement} */ (document.querySelector('form'));
const button = /** @type {HTMLButtonElement} */ (document.querySelector('.hold-button'));
const status = /** @type {HTMLElement} */ (document.querySelector('.status'));
const next = /** @type {HTMLElement} */ (document.querySelector('.next'));
const alternative = /** @type {HTMLElement} */ (document.querySelector('.alternative'));
const alternativeButton = /** @type {HTMLElement} */ (alternative.querySelector('[aria-expanded]'));
const word = /** @type {HTMLInputElement} */ (document.querySelector('[name=word]'));

const hint = status.textContent ?? '';
/** Since when the button is pressed, in milliseconds as events count them: a slow page does not make a press longer. */
let pressedSince = -1;
let isSubmitted = false;
let timer = 0;

button.addEventListener('pointerdown', (event) => {
  if (event.isPrimary && event.button === 0) hold(event);
});
button.addEventListener('pointerup', release);
for (const end of ['pointercancel', 'pointerleave', 'blur']) button.addEventListener(end, () => cancel());
button.addEventListener('contextmenu', (event) => event.preventDefault());
button.addEventListener('keydown', (event) => {
  if (!isHoldKey(event)) return;
  event.preventDefault();
  if (!event.repeat) hold(event);
});
button.addEventListener('keyup', (event) => {
  if (!isHoldKey(event)) return;
  event.preventDefault();
  release(event);
});
// Screen readers click without a pointer, and cannot hold.
button.addEventListener('click', (event) => {
  if (event.detail !== 0 || isSubmitted) return;
  setStatus(button.dataset.holdLonger);
  toggleAlternative(true);
  word.focus();
});
// Enter in a field, which may send the form without a word, leads on to the button. Some keyboards send no key for it.
word.addEventListener('invalid', (event) => {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement) || field === word || !field.validity.valid) return;
  event.preventDefault();
  next.textContent = button.dataset.next ?? '';
  button.focus({ preventScroll: true });
  button.scrollIntoView({ block: 'center' });
});
alternativeButton.addEventListener('click', () => {
  const isOpen = !alternative.classList.contains('open');
  toggleAlternative(isOpen);
  if (isOpen) word.focus();
});

/** @param {Event} event */
function hold(event) {
  if (!event.isTrusted || pressedSince >= 0 || isSubmitted) return;
  pressedSince = event.timeStamp;
  button.classList.add('held');
  timer = window.setTimeout(() => setStatus(button.dataset.letGo), holdMs);
}

/** @param {Event} event */
function release(event) {
  if (pressedSince < 0 || isSubmitted) return;
  if (event.timeStamp - pressedSince >= holdMs) return open();
  cancel(button.dataset.holdLonger);
  toggleAlternative(true);
}

function open() {
  if (!navigator.onLine) return cancel(button.dataset.offline);
  word.disabled = true; // the press takes its place
  if (!form.reportValidity()) {
    word.disabled = false;
    return cancel();
  }
  isSubmitted = true;
  setStatus(button.dataset.opening);
  form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'held', value: 'yes' }));
  form.requestSubmit();
}

/** Ends a press without a result: one that is never released opens nothing. */
function cancel(text = hint) {
  if (pressedSince < 0 || isSubmitted) return;
  window.clearTimeout(timer);
  pressedSince = -1;
  button.classList.remove('held');
  setStatus(text);
}

/** @param {KeyboardEvent} event */
const isHoldKey = ({ key }) => key === 'Enter' || key === ' ';

/** @param {boolean} isOpen */
function toggleAlternative(isOpen) {
  alternative.classList.toggle('open', isOpen);
  alternativeButton.setAttribute('aria-expanded', String(isOpen));
}

/** @param {string | undefined} text */
function setStatus(text) {
  if (text !== undefined) status.textContent = text;
}

// A double click sends the form once.
let isSent = false;
form.addEventListener('submit', (event) => {
  if (isSent) event.preventDefault();
  isSent = true;
  for (const button of form.querySelectorAll('button')) button.setAttribute('aria-disabled', 'true');
});

// What was sent and came to nothing can be held again.
form.addEventListener('unsent', () => {
  isSubmitted = false;
  isSent = false;
  pressedSince = -1;
  word.disabled = false;
  for (const held of form.querySelectorAll('[name=held]')) held.remove();
  for (const button of form.querySelectorAll('button')) button.removeAttribute('aria-disabled');
  button.classList.remove('held');
  setStatus(hint);
});

// The form's nonce expires, so a page left open is reloaded before that, unless something was typed.
window.setInterval(reloadWhenStale, 15_000);
document.addEventListener('visibilitychange', reloadWhenStale);
window.addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

function reloadWhenStale() {
  const inputs = [...form.querySelectorAll('input:not([type=hidden]), textarea')];
  if (Date.now() - loadedAt > staleMs && inputs.every(isUntouched)) location.reload();
}

/** @param {Element} input */
function isUntouched(input) {
  if (input instanceof HTMLTextAreaElement) return input.value === '';
  return !(input instanceof HTMLInputElement) || input.type === 'checkbox' || input.value === '';
}
