// The step before a secret. Whoever holds the seal long enough sends the form with the word that others have to type.
const holdMs = 700;
const staleMs = 9 * 60_000;
const openedAt = Date.now();

const form = document.querySelector('form');
const seal = document.querySelector('.seal');
const status = document.querySelector('.status');
const other = document.querySelector('.other');
const otherButton = other?.querySelector('[aria-expanded]');

if (form) {
  sendOnce(form);
  keepFresh(form);
  if (seal instanceof HTMLButtonElement) openByHolding(seal, form);
}
showTyped();
otherButton?.addEventListener('click', () => {
  const isShown = otherButton.getAttribute('aria-expanded') === 'false';
  showOther(isShown);
  if (isShown) focusWord();
});

/** @param {HTMLButtonElement} seal @param {HTMLFormElement} form */
function openByHolding(seal, form) {
  /** @type {number | undefined} */
  let timer;
  let isOpen = false;

  /** @param {Event} event */
  function hold(event) {
    if (!event.isTrusted || timer !== undefined || isOpen) return;
    seal.classList.add('held');
    timer = window.setTimeout(open, holdMs);
  }

  function letGo() {
    if (timer === undefined || isOpen) return;
    window.clearTimeout(timer);
    timer = undefined;
    seal.classList.remove('held');
    say(seal.dataset.again);
  }

  function open() {
    isOpen = true;
    say(seal.dataset.opening);
    const word = form.elements.namedItem('word');
    if (word instanceof HTMLInputElement) word.value = seal.dataset.word ?? '';
    form.requestSubmit();
  }

  seal.addEventListener('pointerdown', (event) => {
    if (event.isPrimary && event.button === 0) hold(event);
  });
  for (const end of ['pointerup', 'pointercancel', 'pointerleave', 'blur']) seal.addEventListener(end, letGo);
  seal.addEventListener('keydown', (event) => {
    if (event.key !== ' ' && event.key !== 'Enter') return;
    event.preventDefault();
    if (!event.repeat) hold(event);
  });
  seal.addEventListener('keyup', (event) => {
    if (event.key === ' ' || event.key === 'Enter') event.preventDefault();
    letGo();
  });
  seal.addEventListener('contextmenu', (event) => event.preventDefault());
  // A press that was too short, or one by a screen reader, which cannot hold.
  seal.addEventListener('click', (event) => {
    if (isOpen) return;
    say(seal.dataset.again);
    showOther(true);
    if (event.detail === 0) focusWord();
  });
}

/** @param {boolean} isShown */
function showOther(isShown) {
  other?.classList.toggle('open', isShown);
  otherButton?.setAttribute('aria-expanded', String(isShown));
}

function focusWord() {
  const word = document.getElementById('word');
  word?.focus();
}

/** @param {string | undefined} text */
function say(text) {
  if (status && text !== undefined) status.textContent = text;
}

/** A second click sends nothing. @param {HTMLFormElement} form */
function sendOnce(form) {
  let isSent = false;
  form.addEventListener('submit', (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
    for (const button of form.querySelectorAll('button')) button.setAttribute('aria-disabled', 'true');
  });
}

/** What the page gave its form does not last: a page that was left open is loaded again, at no cost. @param {HTMLFormElement} form */
function keepFresh(form) {
  const isEmpty = () => [...form.querySelectorAll('input:not([type=hidden])')].every(isUntouched);
  const refresh = () => {
    if (Date.now() - openedAt > staleMs && isEmpty()) location.reload();
  };
  window.setInterval(refresh, 15_000);
  document.addEventListener('visibilitychange', refresh);
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
}

/** @param {Element} input */
function isUntouched(input) {
  return !(input instanceof HTMLInputElement) || input.type === 'checkbox' || input.value === '';
}

function showTyped() {
  const shown = document.querySelector('[data-shows]');
  const field = document.querySelector('input[type=password]');
  if (!(shown instanceof HTMLInputElement) || !(field instanceof HTMLInputElement)) return;
  shown.addEventListener('change', () => {
    field.type = shown.checked ? 'text' : 'password';
  });
}
