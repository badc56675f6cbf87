import type { PushSettings } from '../base/index.ts';

type Flag = { byDefault: (defaults: PushSettings['defaults']) => boolean; description: string };

/**
 * What can be switched on and off for a push. From an entry follow its column, its input, its field in the API, and its
 * checkbox in the browser; `migrations/` and `src/locales/` have the rest.
 */
export const pushFlags = {
  deletableByViewer: {
    byDefault: (defaults) => defaults.deletableByViewer,
    description: 'Whether anybody with the link may expire the push',
  },
  retrievalStep: {
    byDefault: (defaults) => defaults.retrievalStep,
    description: 'Whether the page asks before it uses a view, so that link previews use none',
  },
} satisfies Record<string, Flag>;

export type PushFlag = keyof typeof pushFlags;

export const pushFlagNames = Object.keys(pushFlags) as PushFlag[];

/** An object with one field for each flag. */
export function eachFlag<Value>(read: (name: PushFlag) => Value): Record<PushFlag, Value> {
  const values: Partial<Record<PushFlag, Value>> = {};
  for (const name of pushFlagNames) values[name] = read(name);
  return values as Record<PushFlag, Value>;
}
