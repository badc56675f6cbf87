// Makes up passwords, as long and of such characters as the sender chooses, and passphrases.
const lowercase = 'abcdefghijkmnopqrstuvwxyz';
const uppercase = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const digits = '23456789';
const symbols = '!#%+:=?@-_';
const consonants = 'bdfghjklmnprstvz';
const vowels = 'aeiou';

/** What passwords are made of, without characters that look alike. @type {Record<string, (parts: number) => string>} */
const styles = {
  symbols: ofCharacters(lowercase, uppercase, digits, symbols),
  letters: ofCharacters(lowercase, uppercase, digits),
  digits: ofCharacters(digits),
  words,
};
const wordsInPassphrase = 5;
const lengths = { min: 4, max: 128 };

const style = /** @type {HTMLSelectElement} */ (document.getElementById('password-style'));
const length = /** @type {HTMLInputElement} */ (document.getElementById('password-length'));

/** The last password, as long as the payload has it. */
let password = '';

for (const button of document.querySelectorAll('[data-generate]')) {
  button.addEventListener('click', () => generate(button.getAttribute('data-generate') ?? ''));
}
style.addEventListener('change', () => {
  length.value = style.value === 'words' ? String(wordsInPassphrase) : '20';
  if (password !== '') generate('payload');
});
length.addEventListener('change', () => password !== '' && generate('payload'));

/**
 * Puts a new password where the cursor is, or in the place of the last one; a passphrase replaces the old one. Selects it, but
 * leaves the focus where it is: a phone would open its keyboard over the button. @param {string} name
 */
function generate(name) {
  const field = document.getElementById(name);
  if (field instanceof HTMLInputElement) field.value = words(wordsInPassphrase);
  if (field instanceof HTMLTextAreaElement) {
    const parts = Math.min(
      lengths.max,
      Math.max(lengths.min, Number.parseInt(length.value, 10) || lengths.min),
    );
    const at = password === '' ? -1 : field.value.indexOf(password);
    const [start, end] = at < 0 ? [field.selectionStart, field.selectionEnd] : [at, at + password.length];
    password = (styles[style.value] ?? words)(parts);
    field.setRangeText(password, start, end, 'select');
  }
  field?.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Characters of all these sets, at least one of each. @param {string[]} sets */
function ofCharacters(...sets) {
  const all = sets.join('');
  /** @param {number} parts */
  function make(parts) {
    for (;;) {
      const text = Array.from({ length: parts }, () => pick(all)).join('');
      if (sets.every((set) => [...text].some((character) => set.includes(character)))) return text;
    }
  }
  return make;
}

/** Words of four letters that can be pronounced. @param {number} parts */
function words(parts) {
  const word = () => pick(consonants) + pick(vowels) + pick(consonants) + pick(vowels);
  return Array.from({ length: parts }, word).join('-');
}

/** A character with uniform probability: bytes that would favour some are drawn again. @param {string} characters */
function pick(characters) {
  const limit = 256 - (256 % characters.length);
  const byte = new Uint8Array(1);
  do crypto.getRandomValues(byte);
  while ((byte[0] ?? 0) >= limit);
  return characters.charAt((byte[0] ?? 0) % characters.length);
}
