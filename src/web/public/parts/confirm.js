// The page before a secret. Holding the button and letting go of it submits the form, which otherwise needs a word.
import '../showTyped.js';

const holdMs = 700;
const staleMs = 9 * 60_000;
const loadedAt = Date.now();

const form = document.querySelector('form');
const holdButton = document.querySelector('.hold-button');
const status = document.querySelector('.status');
const alternative = document.querySelector('.alternative');
const alternativeButton = alternative?.querySelector('[aria-expanded]');
const word = document.querySelector('[name=word]');

if (form) {
  submitOnce(form);
  reloadWhenStale(form);
  if (holdButton instanceof HTMLButtonElement) submitWhenHeld(holdButton, form);
}
alternativeButton?.addEventListener('click', () => {
  toggleAlternative(!isAlternativeOpen());
  if (isAlternativeOpen()) focusWord();
});

/** @param {HTMLButtonElement} button @param {HTMLFormElement} form */
function submitWhenHeld(button, form) {
  /** Since when the button is pressed, in milliseconds as events count them: a slow page does not make a press longer. */
  let pressedSince = -1;
  const hint = status?.textContent ?? '';
  let isSubmitted = false;
  let timer = 0;

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
    setWordDisabled(true);
    if (!form.reportValidity()) {
      setWordDisabled(false);
      return cancel();
    }
    isSubmitted = true;
    setStatus(button.dataset.opening);
    form.append(
      Object.assign(document.createElement('input'), { type: 'hidden', name: 'held', value: 'yes' }),
    );
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
    focusWord();
  });
  // Enter in a field, which may send the form without a word, leads on to the button. Some keyboards send no key for it.
  word?.addEventListener('invalid', (event) => {
    const field = document.activeElement;
    if (!(field instanceof HTMLInputElement) || field === word || !field.validity.valid) return;
    event.preventDefault();
    const next = document.querySelector('.next');
    if (next) next.textContent = button.dataset.next ?? '';
    button.focus({ preventScroll: true });
    button.scrollIntoView({ block: 'center' });
  });
}

/** @param {KeyboardEvent} event */
const isHoldKey = ({ key }) => key === 'Enter' || key === ' ';

function isAlternativeOpen() {
  return alternative?.classList.contains('open') ?? false;
}

/** @param {boolean} isOpen */
function toggleAlternative(isOpen) {
  alternative?.classList.toggle('open', isOpen);
  alternativeButton?.setAttribute('aria-expanded', String(isOpen));
}

function focusWord() {
  if (word instanceof HTMLInputElement) word.focus();
}

/** The word takes the place of the press. @param {boolean} isDisabled */
function setWordDisabled(isDisabled) {
  if (word instanceof HTMLInputElement) word.disabled = isDisabled;
}

/** @param {string | undefined} text */
function setStatus(text) {
  if (status && text !== undefined) status.textContent = text;
}

/** Ignores a double click. @param {HTMLFormElement} form */
function submitOnce(form) {
  let isSubmitted = false;
  form.addEventListener('submit', (event) => {
    if (isSubmitted) event.preventDefault();
    isSubmitted = true;
    for (const button of form.querySelectorAll('button')) button.setAttribute('aria-disabled', 'true');
  });
}

/** The form's nonce expires, so a page left open is reloaded before that, unless something was typed. @param {HTMLFormElement} form */
function reloadWhenStale(form) {
  const isEmpty = () => [...form.querySelectorAll('input:not([type=hidden])')].every(isUntouched);
  const reload = () => {
    if (Date.now() - loadedAt > staleMs && isEmpty()) location.reload();
  };
  window.setInterval(reload, 15_000);
  document.addEventListener('visibilitychange', reload);
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
}

/** @param {Element} input */
function isUntouched(input) {
  return !(input instanceof HTMLInputElement) || input.type === 'checkbox' || input.value === '';
}
