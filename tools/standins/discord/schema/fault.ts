import type { Fields } from '../../shared/json.ts';

/** A fault at a path in a body. */
export type Fault = { place: string[]; what: string };

/** Whether a rule is broken, the field that it is about, and its message. */
export type Rule = [isBroken: boolean, name: string, what: string];

export const fault = (place: (string | number)[], what: string): Fault => ({
  place: place.map(String),
  what,
});

export function broken(rules: Rule[], place: (string | number)[] = []): Fault[] {
  return rules.filter(([isBroken]) => isBroken).map(([, name, what]) => fault([...place, name], what));
}

/** Prefixes the paths of faults. */
export function at(place: (string | number)[], faults: Fault[]): Fault[] {
  return faults.map((one) => ({ ...one, place: [...place.map(String), ...one.place] }));
}

export function describeFault({ place, what }: Fault): string {
  const path = place.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index > 0 ? `.${step}` : step));
  return path.length > 0 ? `${path.join('')}: ${what}` : what;
}

/** Discord's response to an invalid body: https://docs.discord.com/developers/reference#error-messages */
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
