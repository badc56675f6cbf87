// Makes up passwords and passphrases, as long and of such characters as the reader chooses.
const lowercase = 'abcdefghijkmnopqrstuvwxyz';
const uppercase = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const digits = '23456789';
const symbols = '!#%+:=?@-_';
const consonants = 'bdfghjklmnprstvz';
const vowels = 'aeiou';

/**
 * What values are made of, without characters that look alike: how to make one of a number of parts, that number at
 * first, and the bits of each part.
 * @type {Record<string, { make: (parts: number) => string, parts: number, bits: number }>}
 */
const styles = {
  symbols: ofCharacters(lowercase, uppercase, digits, symbols),
  letters: ofCharacters(lowercase, uppercase, digits),
  digits: ofCharacters(digits),
  words: { make: words, parts: 5, bits: 2 * Math.log2(consonants.length * vowels.length) },
};

for (const generator of document.querySelectorAll('.generator')) {
  if (generator instanceof HTMLElement) start(generator);
}

/** @param {HTMLElement} generator */
function start(generator) {
  const target = document.getElementById(generator.dataset.for ?? '');
  const field =
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target : undefined;
  const style = generator.querySelector('select');
  const length = generator.querySelector('input');
  const strength = generator.querySelector('[role=status]');
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) || !style || !length)
    return;
  const chosen = () => styles[style.value] ?? ofCharacters(digits);

  function generate() {
    const { make, bits } = chosen();
    if (!field || !length?.checkValidity()) return;
    const parts = Number(length.value);
    field.value = make(parts);
    const text = generator.dataset.strength ?? '';
    if (strength) strength.textContent = text.replace('{bits}', String(Math.floor(parts * bits)));
  }

  generator.querySelector('button')?.addEventListener('click', () => {
    if (!length.reportValidity()) return;
    generate();
    field.focus();
    field.select();
  });
  style.addEventListener('change', () => {
    length.value = String(chosen().parts);
    generate();
  });
  length.addEventListener('change', generate);
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
  return { make, parts: 20, bits: Math.log2(all.length) };
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
