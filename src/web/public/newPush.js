// The new push page: presets for the limits, and generators.
const lowercase = 'abcdefghijkmnopqrstuvwxyz';
const uppercase = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const digits = '23456789';
const symbols = '!#%+:=?@-_';
const consonants = 'bdfghjklmnprstvz';
const vowels = 'aeiou';

const passwordLength = 20;
const wordCount = 5;

for (const button of document.querySelectorAll('[data-password-for]'))
  generateOnClick(button, 'passwordFor', password);
for (const button of document.querySelectorAll('[data-passphrase-for]'))
  generateOnClick(button, 'passphraseFor', passphrase);

const lifetime = document.getElementById('lifetime');
const views = document.getElementById('views');
if (lifetime instanceof HTMLSelectElement && views instanceof HTMLInputElement) offerPresets(lifetime, views);

/** @param {Element} button @param {string} name @param {() => string} generate */
function generateOnClick(button, name, generate) {
  if (!(button instanceof HTMLElement)) return;
  button.addEventListener('click', () => {
    const field = document.getElementById(button.dataset[name] ?? '');
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
    field.value = generate();
    field.focus();
    field.select();
  });
}

/** 20 unambiguous letters, digits and symbols, some of each: more than 115 bits. */
function password() {
  const all = lowercase + uppercase + digits + symbols;
  for (;;) {
    const text = Array.from({ length: passwordLength }, () => pick(all)).join('');
    if (
      [lowercase, uppercase, digits, symbols].every((set) => [...text].some((letter) => set.includes(letter)))
    )
      return text;
  }
}

/** Five pronounceable words of four letters: 63 bits, enough where guesses are limited. */
function passphrase() {
  const word = () => pick(consonants) + pick(vowels) + pick(consonants) + pick(vowels);
  return Array.from({ length: wordCount }, word).join('-');
}

/** A letter with uniform probability: bytes that would favour some letters are drawn again. @param {string} letters */
function pick(letters) {
  const limit = 256 - (256 % letters.length);
  const byte = new Uint8Array(1);
  do crypto.getRandomValues(byte);
  while ((byte[0] ?? 0) >= limit);
  return letters.charAt((byte[0] ?? 0) % letters.length);
}

/** Buttons that set both limits, and a sentence that says what they mean. @param {HTMLSelectElement} lifetime @param {HTMLInputElement} views */
function offerPresets(lifetime, views) {
  const presets = [...document.querySelectorAll('[data-preset-lifetime]')].filter(
    (each) => each instanceof HTMLButtonElement,
  );
  const summary = document.getElementById('limits-summary');

  function update() {
    for (const preset of presets) {
      const { presetLifetime, presetViews } = preset.dataset;
      const isChosen = presetLifetime === lifetime.value && presetViews === views.value;
      preset.setAttribute('aria-pressed', String(isChosen));
    }
    if (summary) summary.textContent = sentence(summary.dataset);
  }

  /** @param {DOMStringMap} texts */
  function sentence({ once = '', many = '' }) {
    const text = views.value === '1' ? once : many;
    return text.replace('{views}', views.value).replace('{time}', lifetime.selectedOptions[0]?.text ?? '');
  }

  for (const preset of presets) {
    preset.addEventListener('click', () => {
      lifetime.value = preset.dataset.presetLifetime ?? '';
      views.value = preset.dataset.presetViews ?? '';
      update();
    });
  }
  lifetime.addEventListener('input', update);
  views.addEventListener('input', update);
  update();
}
