// The page of a revealed secret: blurs it until the reader shows it, wraps its lines, and counts down.
// A reload, or going back and forward, loads the page by GET, which shows the same view for a minute.
history.replaceState(null, '', location.href);

const secret = document.querySelector('.secret');
const text = document.getElementById('secret');

const toggle = document.querySelector('[data-toggle-secret]');
if (secret && toggle instanceof HTMLButtonElement) {
  toggle.addEventListener('click', () => {
    const isBlurred = secret.classList.toggle('blurred');
    secret.toggleAttribute('inert', isBlurred);
    toggle.textContent = (isBlurred ? toggle.dataset.show : toggle.dataset.hide) ?? '';
  });
  secret.toggleAttribute('inert', true); // screen readers do not read what is blurred
}

const wrap = document.querySelector('[data-wrap]');
if (wrap instanceof HTMLInputElement && text) {
  const hasLongLine = /.{41}/.test(text.textContent ?? ''); // shorter ones fit on a phone, or nearly
  wrap.closest('label')?.toggleAttribute('hidden', !hasLongLine);
  wrap.addEventListener('change', () => text.classList.toggle('no-wrap', !wrap.checked));
}

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
