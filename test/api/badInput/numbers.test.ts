import { asForm, asJson } from '../../harness/api.ts';
import { canary, describeRows, fields, made, type Row } from './rows.ts';

describeRows('POST /p.json', [
  ...numbers('expire_after_days', 1, 90, 7),
  ...numbers('expire_after_views', 1, 100, 5),
  ...numbers('expire_after_hours', 1, 2_160, undefined).map(withoutEcho),
  ...numbers('expire_after_minutes', 5, 129_600, undefined).map(withoutEcho),
]);

/** Values of a whole number, as numbers and as strings. */
function numbers(field: string, min: number, max: number, byDefault: number | undefined): Row[] {
  const error = `${field} must be between ${min} and ${max}`;
  const wrong: [string, unknown][] = [
    ['nought', 0],
    ['one less than the least', min - 1],
    ['one more than the most', max + 1],
    ['a negative number', -1],
    ['a negative nought', '-0'],
    ['a fraction', min + 0.5],
    ['a fraction as text', `${min}.5`],
    ['a fraction of nothing, as text', `${min}.0`],
    ['an exponent as text', '1e1'],
    ['a hexadecimal number', '0x10'],
    ['a huge number', 1e300],
    ['a huge number as text', '9'.repeat(400)],
    ['more than 64 bits', '18446744073709551617'],
    ['a word', canary],
    ['a number and a word', `10${canary}`],
    ['a number and NUL', '10\0'],
    ['infinity', 'Infinity'],
    ['no number at all', 'NaN'],
    ['thousands with a comma', '1,0'],
    ['digits of another script', '١٠'],
    ['true', true],
    ['false', false],
    ['a list', [10]],
    ['an empty list', []],
    ['an object', { a: canary }],
  ];
  const right: [string, unknown, number | undefined][] = [
    ['the least', min, min],
    ['the most', max, max],
    ['the least as text', String(min), min],
    ['the most as text', String(max), max],
    ['null for the default', null, byDefault],
    ['empty text for the default', '', byDefault],
    ['blanks for the default', ' \t ', byDefault],
  ];
  return [
    ...wrong.map(([name, value]) => ({
      name: `${field}: ${name}`,
      ...fields({ [field]: value }),
      status: 422,
      error,
    })),
    {
      name: `${field}: an infinite number of JSON`,
      headers: asJson,
      body: `{"password":{"payload":"${canary}","${field}":1e999}}`,
      status: 422,
      error,
    },
    {
      name: `${field}: a list in a form`,
      headers: asForm,
      body: `password[payload]=${canary}&password[${field}][]=10`,
      status: 422,
      error,
    },
    ...right.map(([name, value, effective]) => ({
      name: `${field}: ${name}`,
      ...fields({ [field]: value }),
      ...made,
      answer: effective === undefined ? {} : { [field]: effective },
    })),
  ];
}

/** Responses contain durations in days only. */
function withoutEcho(row: Row): Row {
  const { answer: _, ...rest } = row;
  return rest;
}
