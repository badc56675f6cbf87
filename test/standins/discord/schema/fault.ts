import type { Fields } from '../../shared/json.ts';

/** Something wrong at a place in a body, given as the steps to it. */
export type Fault = { place: string[]; what: string };

/** A rule that is broken or not, the field that it is about, and what to say of it. */
export type Rule = [isBroken: boolean, name: string, what: string];

export const fault = (place: (string | number)[], what: string): Fault => ({
  place: place.map(String),
  what,
});

export function broken(rules: Rule[], place: (string | number)[] = []): Fault[] {
  return rules.filter(([isBroken]) => isBroken).map(([, name, what]) => fault([...place, name], what));
}

/** The same faults of something that stands at a place. */
export function at(place: (string | number)[], faults: Fault[]): Fault[] {
  return faults.map((one) => ({ ...one, place: [...place.map(String), ...one.place] }));
}

export function describeFault({ place, what }: Fault): string {
  const path = place.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index > 0 ? `.${step}` : step));
  return path.length > 0 ? `${path.join('')}: ${what}` : what;
}

/** Discord's answer to a body that is not valid: https://docs.discord.com/developers/reference#error-messages */
export function formError(faults: Fault[]): Fields {
  const errors: Fields = {};
  for (const { place, what } of faults) {
    let node = errors;
    for (const step of place) {
      node[step] ??= {};
      node = node[step] as Fields;
    }
    node._errors = [...((node._errors as Fields[]) ?? []), { code: 'BASE_TYPE_INVALID', message: what }];
  }
  return { message: 'Invalid Form Body', code: 50035, errors };
}
