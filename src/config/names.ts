/** Variables of other programs that look like a misspelt setting. */
const othersNames = new Set(['LOGLEVEL', 'SLACK_API_TOKEN']);
/** What a `.env` has for Docker Compose, for Node.js or for other programs that share it. hushpush does not read these there. */
const standardNames =
  /^(COMPOSE_\w+|((HTTPS?|ALL|NO|FTP)_PROXY)|TZ|LANG|LC_\w+|PUID|PGID|UMASK|MALLOC_ARENA_MAX|NODE_(OPTIONS|EXTRA_CA_CERTS|USE_ENV_PROXY))$/i;
const prefix = 'HUSHPUSH_';
const shortest = 6;
const edits = 2;

/** `.env` is ours, so each name there that neither we nor others know is a mistake. AWS_* is for the library that reads the bucket. */
export function unknownNames(names: string[], known: readonly string[], path = '.env'): string[] {
  return names
    .filter((name) => !known.includes(name) && !name.startsWith('AWS_') && !standardNames.test(name))
    .map((name) => {
      const near = nearest(name, known);
      return `${name} in ${path} is not a setting${near === undefined ? '' : `; did you mean ${near}?`}`;
    });
}

/**
 * Names in the environment that are probably misspelt settings. Other programs share the environment, so a name counts
 * only if it is long, and one or two edits away from an unset setting: not in the first letter, and not many in one word.
 */
export function misspeltNames(names: string[], unset: readonly string[]): string[] {
  return names
    .filter((name) => !unset.includes(name) && !othersNames.has(name) && !name.startsWith('AWS_'))
    .flatMap((name) => {
      const meant = unset.find((one) => isMisspelt(name.toUpperCase().replace(/[-.]/g, '_'), one));
      if (meant === undefined) return [];
      return [`${name} is not a setting; did you mean ${meant}? If not, leave it empty for hushpush`];
    });
}

function isMisspelt(name: string, known: string): boolean {
  if (name.startsWith(prefix)) return name === prefix + known;
  return known.length >= shortest && known[0] === name[0] && isTypo(name, known);
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const normal = name.toUpperCase().replace(prefix, '');
  const [best] = known
    .map((one) => ({ one, distance: distanceOf(normal, one) }))
    .sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.max(edits, best.one.length / 3) ? best.one : undefined;
}

/** Kubernetes and Docker announce a service called `worker` as `WORKER_PORT=tcp://10.0.0.7:80`. */
export function isServiceLink(name: string, value: string): boolean {
  return name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value);
}

function isTypo(name: string, known: string): boolean {
  const [words, knownWords] = [name.split('_'), known.split('_')];
  if (words.length !== knownWords.length) return words.join('') === knownWords.join('');
  const distances = knownWords.map((word, index) => distanceOf(words[index] ?? '', word));
  return (
    distances.every((distance, index) => distance <= (knownWords[index] ?? '').length / 3) &&
    distances.reduce((sum, distance) => sum + distance) <= edits
  );
}

/** Damerau and Levenshtein's: how many letters to insert, delete, replace or swap with their neighbour. */
function distanceOf(a: string, b: string): number {
  let [beforeLast, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

const at = (row: number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY;
