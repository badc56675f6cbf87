// The page that makes pushes: sliders for its limits, and generators.
const lowers = 'abcdefghijkmnopqrstuvwxyz';
const uppers = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const digits = '23456789';
const marks = '!#%+:=?@-_';
const consonants = 'bdfghjklmnprstvz';
const vowels = 'aeiou';

const passwordLength = 20;
const passphraseWords = 5;

for (const button of document.querySelectorAll('[data-password-for]'))
  fillBy(button, 'passwordFor', password);
for (const button of document.querySelectorAll('[data-passphrase-for]'))
  fillBy(button, 'passphraseFor', passphrase);

const lifetime = document.getElementById('lifetime');
if (lifetime instanceof HTMLSelectElement) slideSelect(lifetime);
const views = document.getElementById('views');
if (views instanceof HTMLInputElement) slideNumber(views);

/** @param {Element} button @param {string} name @param {() => string} make */
function fillBy(button, name, make) {
  if (!(button instanceof HTMLElement)) return;
  button.addEventListener('click', () => {
    const field = document.getElementById(button.dataset[name] ?? '');
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
    field.value = make();
    field.focus();
    field.select();
  });
}

/** 20 letters, digits and marks that are hard to mistake for one another, some of each: above 115 bits. */
function password() {
  const all = lowers + uppers + digits + marks;
  for (;;) {
    const text = Array.from({ length: passwordLength }, () => pick(all)).join('');
    if ([lowers, uppers, digits, marks].every((set) => [...text].some((letter) => set.includes(letter))))
      return text;
  }
}

/** Five words of four letters that can be said on the telephone: 63 bits, against few guesses. */
function passphrase() {
  const word = () => pick(consonants) + pick(vowels) + pick(consonants) + pick(vowels);
  return Array.from({ length: passphraseWords }, word).join('-');
}

/** One letter, each as likely as any other. @param {string} letters */
function pick(letters) {
  const fair = 256 - (256 % letters.length);
  const byte = new Uint8Array(1);
  do crypto.getRandomValues(byte);
  while ((byte[0] ?? 0) >= fair);
  return letters.charAt((byte[0] ?? 0) % letters.length);
}

/** A slider over the entries of a list, which stays what is sent. @param {HTMLSelectElement} select */
function slideSelect(select) {
  const slider = sliderFor(select, 0, select.options.length - 1);
  const said = document.createElement('output');
  const show = () => {
    const text = select.selectedOptions[0]?.text ?? '';
    said.textContent = text;
    slider.setAttribute('aria-valuetext', text);
  };
  slider.value = String(select.selectedIndex);
  slider.addEventListener('input', () => {
    select.selectedIndex = Number(slider.value);
    show();
  });
  select.hidden = true;
  select.after(slider);
  slider.after(said);
  document.querySelector(`label[for=${select.id}]`)?.setAttribute('for', slider.id);
  show();
}

/** A slider beside a number, each of which moves the other. @param {HTMLInputElement} number */
function slideNumber(number) {
  const slider = sliderFor(number, Number(number.min), Number(number.max));
  slider.value = number.value;
  slider.addEventListener('input', () => {
    number.value = slider.value;
  });
  number.addEventListener('input', () => {
    slider.value = number.value;
  });
  slider.ariaHidden = 'true'; // the number itself is within reach of keyboards and screen readers
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
