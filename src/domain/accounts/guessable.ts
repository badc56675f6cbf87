const neededCharacters = 6;
const commonParts = /passwor[dt]|kennwort|geheim|welcome|willkommen|letmein|iloveyou|admin|secret|hushpush/g;
const keyboardRows = [
  '1234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
];

/**
 * Whether a password is among those that people try first: one whose characters repeat or follow one another in the
 * alphabet or on a keyboard, with hardly anything besides them and well-known passwords.
 */
export function isGuessable(password: string): boolean {
  const text = password.toLowerCase().replace(commonParts, ' ');
  const surprising = [...text].filter((character, index, all) => !follows(all[index - 1], character));
  return new Set(surprising).size < neededCharacters;
}

function follows(before: string | undefined, character: string): boolean {
  if (before === undefined) return false;
  const step = Number(character.codePointAt(0)) - Number(before.codePointAt(0));
  return Math.abs(step) <= 1 || keyboardRows.some((row) => hasPair(row, before, character));
}

function hasPair(row: string, one: string, other: string): boolean {
  return row.includes(one + other) || row.includes(other + one);
}
