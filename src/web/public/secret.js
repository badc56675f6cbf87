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
  wrap.addEventListener('change', () => text.classList.toggle('no-wrap', !wrap.checked));
}

const countdown = document.querySelector('[data-remaining-ms]');
if (countdown instanceof HTMLElement) countDown(countdown);

/** Measures elapsed time, because the reader's clock may be wrong. @param {HTMLElement} countdown */
function countDown(countdown) {
  const end = performance.now() + Number(countdown.dataset.remainingMs);
  const unit = (/** @type {'day' | 'hour' | 'minute' | 'second'} */ name) =>
    new Intl.NumberFormat(document.documentElement.lang, {
      style: 'unit',
      unit: name,
      unitDisplay: 'narrow',
    });
  const [days, hours, minutes, seconds] = [unit('day'), unit('hour'), unit('minute'), unit('second')];

  function update() {
    const remaining = Math.max(0, Math.ceil((end - performance.now()) / 1_000));
    const [day, hour, minute, second] = [
      Math.floor(remaining / 86_400),
      Math.floor(remaining / 3_600) % 24,
      Math.floor(remaining / 60) % 60,
      remaining % 60,
    ];
    const parts =
      day > 0
        ? [days.format(day), hours.format(hour), minutes.format(minute)]
        : [hours.format(hour), minutes.format(minute), seconds.format(second)];
    countdown.textContent = parts.join(' ');
    if (remaining > 0) return;
    window.clearInterval(timer);
    countdown.textContent = '';
    const line = document.getElementById('time-left');
    if (line) line.textContent = countdown.dataset.erased ?? '';
    document.querySelector('.delete-form')?.remove();
  }
  const timer = window.setInterval(update, 1_000);
  update();
}
