// The page of a revealed secret: blurs it until the reader shows it, wraps its lines, and counts down.
import { hasInvisible } from './invisible.js';
import { endFormat } from './readerLocale.js';

// A reload, or going back and forward, loads the page by GET, which shows the same view for a minute.
history.replaceState(null, '', location.href);

const secret = document.querySelector('section.secret');
const text = document.getElementById('secret');

const toggle = document.querySelector('[data-toggle-secret]');
if (secret instanceof HTMLElement && toggle instanceof HTMLButtonElement) {
  toggle.addEventListener('click', () => blur(secret, toggle, !secret.classList.contains('blurred')));
  secret.addEventListener('click', () => secret.matches('.blurred') && blur(secret, toggle, false));
  blur(secret, toggle, true);
}

/** Screen readers do not read what is blurred; they go to what is shown. @param {HTMLElement} secret @param {HTMLButtonElement} toggle @param {boolean} isBlurred */
function blur(secret, toggle, isBlurred) {
  secret.classList.toggle('blurred', isBlurred);
  for (const part of secret.children) part.toggleAttribute('inert', isBlurred); // not the whole, which takes taps
  toggle.classList.toggle('secondary', !isBlurred);
  toggle.textContent = (isBlurred ? toggle.dataset.show : toggle.dataset.hide) ?? '';
  if (!isBlurred) secret.focus();
}

const wrap = document.querySelector('[data-wrap]');
if (wrap instanceof HTMLInputElement && text) {
  const offerWrapping = () => {
    const isLong = hasLongLine(text);
    wrap.closest('label')?.toggleAttribute('hidden', !isLong);
  };
  offerWrapping();
  const isPassword = /^.{1,100}$/u.test(text.textContent ?? '');
  document.querySelector('[data-download]')?.toggleAttribute('hidden', isPassword);
  window.addEventListener('resize', offerWrapping);
  wrap.addEventListener('change', () => text.classList.toggle('no-wrap', !wrap.checked));
  document.getElementById('invisible')?.toggleAttribute('hidden', !hasInvisible(text.textContent ?? ''));
}

/** @param {HTMLElement} text */
function hasLongLine(text) {
  if (text.childElementCount > 0) return true; // it comes in pieces
  if (!/.{41}/u.test(text.textContent ?? '')) return false; // it fits on a phone, or nearly
  const wasWrapped = !text.classList.contains('no-wrap');
  text.classList.add('no-wrap');
  const isLong = text.scrollWidth > text.clientWidth;
  text.classList.toggle('no-wrap', !wasWrapped);
  return isLong;
}

const end = document.querySelector('.remaining time');
if (end instanceof HTMLTimeElement) end.textContent = endFormat.format(new Date(end.dateTime));

const timeLeft = document.querySelector('[data-remaining-ms]');
if (timeLeft instanceof HTMLElement) countDown(timeLeft);

/** Measures elapsed time, because the reader's clock may be wrong. @param {HTMLElement} element */
function countDown(element) {
  const { remainingMs, text: sentence, over = '' } = element.dataset;
  const end = performance.now() + Number(remainingMs);
  const format = sentence === undefined ? clockTime : createWhen(sentence);

  function update() {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1_000));
    element.textContent = seconds > 0 ? format(seconds) : over;
    if (seconds > 0) return;
    window.clearInterval(timer);
    document.querySelector('.delete-form')?.remove();
  }
  const timer = window.setInterval(update, 1_000);
  update();
}

/** Writes into a sentence when it is, in the largest unit of which two are left: “in 3 days”. @param {string} sentence */
function createWhen(sentence) {
  const relative = new Intl.RelativeTimeFormat(document.documentElement.lang);
  const units = /** @type {const} */ ([
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ]);
  return (/** @type {number} */ seconds) => {
    const [unit, length] = units.find(([, each]) => seconds > 2 * each) ?? ['second', 1];
    return sentence.replace('{when}', relative.format(Math.round(seconds / length), unit));
  };
}

/** As clocks have it: 29:59, or 1:05:00. @param {number} seconds */
function clockTime(seconds) {
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
  const hours = Math.floor(seconds / 3_600);
  return [...(hours > 0 ? [hours] : []), ...parts].join(':');
}
