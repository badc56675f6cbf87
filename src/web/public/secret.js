// The page of a revealed secret: it stays veiled until somebody wants to see it.
const secret = document.querySelector('.secret');
const text = document.getElementById('secret');

const veil = document.querySelector('[data-veil]');
if (secret && veil instanceof HTMLButtonElement) {
  veil.addEventListener('click', () => {
    const isVeiled = secret.classList.toggle('veiled');
    veil.setAttribute('aria-pressed', String(!isVeiled));
    veil.textContent = (isVeiled ? veil.dataset.show : veil.dataset.hide) ?? '';
  });
}

const wrap = document.querySelector('[data-wrap]');
if (wrap instanceof HTMLInputElement && text) {
  wrap.addEventListener('change', () => text.classList.toggle('unwrapped', !wrap.checked));
}

const clock = document.querySelector('[data-left-ms]');
if (clock instanceof HTMLElement) tick(clock);

/** Counts down by the time that passes here: the reader's clock may be wrong. @param {HTMLElement} clock */
function tick(clock) {
  const end = performance.now() + Number(clock.dataset.leftMs);
  const unit = (/** @type {'day' | 'hour' | 'minute' | 'second'} */ name) =>
    new Intl.NumberFormat(document.documentElement.lang, {
      style: 'unit',
      unit: name,
      unitDisplay: 'narrow',
    });
  const [days, hours, minutes, seconds] = [unit('day'), unit('hour'), unit('minute'), unit('second')];

  function show() {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1_000));
    const [day, hour, minute, second] = [
      Math.floor(left / 86_400),
      Math.floor(left / 3_600) % 24,
      Math.floor(left / 60) % 60,
      left % 60,
    ];
    const parts =
      day > 0
        ? [days.format(day), hours.format(hour), minutes.format(minute)]
        : [hours.format(hour), minutes.format(minute), seconds.format(second)];
    clock.textContent = parts.join(' ');
    if (left > 0) return;
    window.clearInterval(timer);
    clock.textContent = '';
    const line = document.getElementById('time-left');
    if (line) line.textContent = clock.dataset.over ?? '';
    document.querySelector('.burn')?.remove();
  }
  const timer = window.setInterval(show, 1_000);
  show();
}
