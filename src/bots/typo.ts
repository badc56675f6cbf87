/**
 * The word that somebody may have meant by a single word that is one slip of a finger away from it: a letter too many, too
 * few, replaced, or swapped with its neighbour. Undefined for anything else.
 */
export function maybeMeant(typed: string, words: string[]): string | undefined {
  const lower = typed.trim().toLowerCase();
  return words.find((word) => lower !== word && isOneSlipAway(lower, word));
}

function isOneSlipAway(typed: string, word: string): boolean {
  if (Math.abs(typed.length - word.length) > 1) return false;
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at++;
  const [rest, expected] = [typed.slice(at), word.slice(at)];
  const isSwapped = rest[0] === expected[1] && rest[1] === expected[0] && rest.slice(2) === expected.slice(2);
  return (
    rest.slice(1) === expected ||
    rest === expected.slice(1) ||
    rest.slice(1) === expected.slice(1) ||
    isSwapped
  );
}
