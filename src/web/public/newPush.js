// The new push page: sliders for the limits, and generators.
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
if (lifetime instanceof HTMLSelectElement) slideSelect(lifetime);
const views = document.getElementById('views');
if (views instanceof HTMLInputElement) slideNumber(views);

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

/** A slider for a list, which is hidden and still submitted. @param {HTMLSelectElement} select */
function slideSelect(select) {
  const slider = sliderFor(select, 0, select.options.length - 1);
  const output = document.createElement('output');
  const update = () => {
    const text = select.selectedOptions[0]?.text ?? '';
    output.textContent = text;
    slider.setAttribute('aria-valuetext', text);
  };
  slider.value = String(select.selectedIndex);
  slider.addEventListener('input', () => {
    select.selectedIndex = Number(slider.value);
    update();
  });
  select.hidden = true;
  select.after(slider);
  slider.after(output);
  document.querySelector(`label[for=${select.id}]`)?.setAttribute('for', slider.id);
  update();
}

/** A slider beside a number field; each moves the other. @param {HTMLInputElement} number */
function slideNumber(number) {
  const slider = sliderFor(number, Number(number.min), Number(number.max));
  slider.value = number.value;
  slider.addEventListener('input', () => {
    number.value = slider.value;
  });
  number.addEventListener('input', () => {
    slider.value = number.value;
  });
  slider.ariaHidden = 'true'; // keyboards and screen readers use the number field
  slider.tabIndex = -1;
  number.before(slider);
}

/** @param {HTMLElement} field @param {number} min @param {number} max */
function sliderFor(field, min, max) {
  const slider = document.createElement('input');
  slider.type = 'range';
  slider.id = `${field.id}-slider`;
  slider.min = String(min);
  slider.max = String(max);
  return slider;
}
