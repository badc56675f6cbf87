type PluralForms = { one: string; other: string };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const sizes = ['KiB', 'MiB', 'GiB'] as const;

type Unit = 'minute' | 'hour' | 'day';

/** How one language writes numbers, times and amounts, by the data of Intl. */
export function formatsOf(locale: string) {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  const roughly = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const inBytes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'byte', unitDisplay: 'long' });
  const relative = new Intl.RelativeTimeFormat(locale);
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

  return {
    /** The form that fits a number, with the number for its `#`. */
    count: (number: number, forms: PluralForms) =>
      (rules.select(number) === 'one' ? forms.one : forms.other).replace('#', numbers.format(number)),
    /** When something will be, in the largest fitting unit: `in 3 days`. */
    inTime(ms: number): string {
      if (ms > 2 * dayMs) return relative.format(Math.round(ms / dayMs), 'day');
      if (ms > 2 * hourMs) return relative.format(Math.round(ms / hourMs), 'hour');
      return relative.format(Math.max(1, Math.ceil(ms / minuteMs)), 'minute');
    },
    /** So many of a unit of time: `7 days`. */
    amount: (number: number, unit: Unit) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(number),
    number: (number: number) => numbers.format(number),
    /** The size of something in the largest fitting unit, the same as limits are set in: `1.2 MiB` (IEC 80000-13). */
    size(bytes: number): string {
      const step = Math.min(sizes.length, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
      if (step === 0) return inBytes.format(bytes);
      return `${roughly.format(bytes / 1_024 ** step)} ${sizes[step - 1]}`;
    },
    /** A moment, epoch milliseconds, in UTC. */
    date: (at: number) => `${dates.format(at)} UTC`,
  };
}

/** Sentences for what the domain says of a wrong input, which it says in English; whatever has none stays as it is. */
export function phrasesOf(phrases: readonly (readonly [RegExp, string])[]): (text: string) => string {
  return (text) => {
    const [pattern, phrase] = phrases.find(([pattern]) => pattern.test(text)) ?? [];
    return pattern === undefined || phrase === undefined ? text : text.replace(pattern, phrase);
  };
}
