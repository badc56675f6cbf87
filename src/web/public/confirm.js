// The page before a secret. Holding the button submits the form with the word that everybody else has to type.
const holdMs = 700;
const staleMs = 9 * 60_000;
const loadedAt = Date.now();

const form = document.querySelector('form');
const holdButton = document.querySelector('.hold-button');
const status = document.querySelector('.status');
const alternative = document.querySelector('.alternative');
const alternativeButton = alternative?.querySelector('[aria-expanded]');

if (form) {
  submitOnce(form);
  reloadWhenStale(form);
  if (holdButton instanceof HTMLButtonElement) submitWhenHeld(holdButton, form);
}
togglePassword();
alternativeButton?.addEventListener('click', () => {
  const isOpen = alternativeButton.getAttribute('aria-expanded') === 'false';
  toggleAlternative(isOpen);
  if (isOpen) focusWord();
});

/** @param {HTMLButtonElement} button @param {HTMLFormElement} form */
function submitWhenHeld(button, form) {
  /** @type {number | undefined} */
  let timer;
  let isSubmitted = false;

  /** @param {Event} event */
  function hold(event) {
    if (!event.isTrusted || timer !== undefined || isSubmitted) return;
    button.classList.add('held');
    timer = window.setTimeout(submit, holdMs);
  }

  function release() {
    if (timer !== undefined && !isSubmitted) cancel(button.dataset.holdLonger);
  }

  /** @param {string | undefined} text */
  function cancel(text) {
    window.clearTimeout(timer);
    timer = undefined;
    button.classList.remove('held');
    setStatus(text);
  }

  function submit() {
    if (!navigator.onLine) return cancel(button.dataset.offline);
    isSubmitted = true;
    setStatus(button.dataset.opening);
    const word = form.elements.namedItem('word');
    if (word instanceof HTMLInputElement) word.value = button.dataset.word ?? '';
    form.requestSubmit();
  }

  button.addEventListener('pointerdown', (event) => {
    if (event.isPrimary && event.button === 0) hold(event);
  });
  for (const end of ['pointerup', 'pointercancel', 'pointerleave', 'blur'])
    button.addEventListener(end, release);
  button.addEventListener('keydown', (event) => {
    if (event.key !== ' ' && event.key !== 'Enter') return;
    event.preventDefault();
    if (!event.repeat) hold(event);
  });
  button.addEventListener('keyup', (event) => {
    if (event.key === ' ' || event.key === 'Enter') event.preventDefault();
    release();
  });
  button.addEventListener('contextmenu', (event) => event.preventDefault());
  // The press was too short, or it came from a screen reader, which cannot hold.
  button.addEventListener('click', (event) => {
    if (isSubmitted || !navigator.onLine) return;
    setStatus(button.dataset.holdLonger);
    toggleAlternative(true);
    if (event.detail === 0) focusWord();
  });
}

/** @param {boolean} isOpen */
function toggleAlternative(isOpen) {
  alternative?.classList.toggle('open', isOpen);
  alternativeButton?.setAttribute('aria-expanded', String(isOpen));
}

function focusWord() {
  document.getElementById('word')?.focus();
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

function togglePassword() {
  const checkbox = document.querySelector('[data-show-password]');
  const field = document.querySelector('input[type=password]');
  if (!(checkbox instanceof HTMLInputElement) || !(field instanceof HTMLInputElement)) return;
  checkbox.addEventListener('change', () => {
    field.type = checkbox.checked ? 'text' : 'password';
  });
}
