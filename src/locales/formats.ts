import { dayMs, hourMs, minuteMs } from '../time.ts';

/** A text for each plural category that the language has (CLDR); `other` stands in for the rest. */
type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

const sizes = ['kilobyte', 'megabyte', 'gigabyte'] as const;

/** A place, with the names that a database has for it, by language. */
type NamedPlace = Record<'city' | 'country', Partial<Record<string, string>>> & {
  countryCode: string | null;
};

type Unit = 'minute' | 'hour' | 'day';

const minutes: [Unit, number] = ['minute', minuteMs];
const durationUnits: [Unit, number][] = [['day', dayMs], ['hour', hourMs], minutes];

/**
 * How a language writes numbers, times and amounts, from the data of Intl. Its first format takes 8 MiB and 15 ms of CPU,
 * so each is created when a text needs it; and only once, since that takes 30 µs.
 */
export function formatsOf(locale: string) {
  const rules = whenNeeded(() => new Intl.PluralRules(locale));
  const numbers = whenNeeded(() => new Intl.NumberFormat(locale));
  const relative = whenNeeded(() => new Intl.RelativeTimeFormat(locale));
  const conjunctions = whenNeeded(() => new Intl.ListFormat(locale));
  const regions = whenNeeded(() => new Intl.DisplayNames(locale, { type: 'region' }));
  const dates = whenNeeded(
    () => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
  );

  const shortDates = whenNeeded(
    () =>
      new Intl.DateTimeFormat(locale, {
        day: 'numeric',
        month: 'short',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
        timeZone: 'UTC',
      }),
  );

  const inUnit = (unit: Unit | 'byte') =>
    whenNeeded(() => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }));
  const units = { minute: inUnit('minute'), hour: inUnit('hour'), day: inUnit('day') };
  const inBytes = inUnit('byte');
  const roughlyIn = sizes.map((unit) =>
    whenNeeded(() => new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 })),
  );
  const amount = (number: number, unit: Unit) => units[unit]().format(number);

  /** A country without a name in this language has one in Intl, by its code. A city without one is known in English. */
  function placeNames({ city, country, countryCode }: NamedPlace) {
    const byCode = () => (countryCode === null ? undefined : regions().of(countryCode));
    return { city: city[locale] ?? city.en, country: country[locale] ?? byCode() ?? country.en };
  }
  const place = (named: NamedPlace) => {
    const { city, country } = placeNames(named);
    return [city, country].filter((name) => name !== undefined).join(', ');
  };

  return {
    /** The names of a place, as far as it has any. */
    placeNames,
    /** A place: `Berlin, Germany`. */
    place,
    /** An address, with its place if that is known: `192.0.2.7 (Berlin, Germany)`. */
    address: (ip: string, known: NamedPlace | null) => (known === null ? ip : `${ip} (${place(known)})`),
    /** The plural form for a number; `#` in it is replaced by the number. */
    count: (number: number, forms: PluralForms) =>
      (forms[rules().select(number)] ?? forms.other).replace('#', numbers().format(number)),
    /** The time until something happens, in the largest unit that fits: `in 3 days`. */
    inTime(ms: number): string {
      if (ms > 2 * dayMs) return relative().format(Math.round(ms / dayMs), 'day');
      if (ms > 2 * hourMs) return relative().format(Math.round(ms / hourMs), 'hour');
      return relative().format(Math.max(1, Math.ceil(ms / minuteMs)), 'minute');
    },
    /** How long ago something happened, in the largest unit that fits: `3 days ago`. */
    ago(ms: number): string {
      if (ms > 2 * dayMs) return relative().format(-Math.round(ms / dayMs), 'day');
      if (ms > 2 * hourMs) return relative().format(-Math.round(ms / hourMs), 'hour');
      return relative().format(-Math.floor(ms / minuteMs), 'minute');
    },
    /** A duration in the largest unit that divides it, or else about as long in the largest that fits: `7 days`. */
    duration(ms: number): string {
      const [unit, unitMs] =
        durationUnits.find(([, each]) => ms % each === 0) ??
        durationUnits.find(([, each]) => ms >= each) ??
        minutes;
      return amount(Math.round(ms / unitMs), unit);
    },
    /** A duration: `7 days`. */
    amount,
    /** Items one after the other: `one, two, and three`. */
    list: (items: string[]) => conjunctions().format(items),
    number: (number: number) => numbers().format(number),
    /** A size in the largest unit that fits, each 1,024 of the one before, as in the settings and in Windows: `1.2 MB`. */
    size(bytes: number): string {
      const step = Math.min(sizes.length, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
      return (roughlyIn[step - 1] ?? inBytes)().format(bytes / 1_024 ** step);
    },
    /** The same in few characters, for what happened lately: `23 Nov, 15:16`. */
    shortDate: (at: number) => shortDates().format(at),
    /** A date and time in UTC, from epoch milliseconds. */
    date: (at: number) => `${dates().format(at)} UTC`,
  };
}

/** Creates a value when it is first asked for. */
function whenNeeded<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

/** A limit exactly as it is set, in every language alike: `10 MB`. */
export function megabytes(bytes: number): string {
  return `${bytes / 1_024 ** 2} MB`;
}
