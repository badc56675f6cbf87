import type { DotEnv } from './dotEnv.ts';
import { isServiceLink } from './names.ts';

type GivenSetting = { name: string; text: string; from: string };

/** What is set, and where: in `.env`, or in the environment, which takes precedence. Empty settings count as unset. */
export function givenSettings(environment: NodeJS.ProcessEnv, file?: DotEnv): GivenSetting[] {
  const given = [
    ...filled(file?.settings ?? {}, file?.path ?? ''),
    ...filled(environment, 'environment').filter(({ name, text }) => !isServiceLink(name, text)),
  ];
  return [...new Map(given.map((one) => [one.name, one])).values()];
}

function filled(settings: NodeJS.ProcessEnv, from: string): GivenSetting[] {
  return Object.entries(settings).flatMap(([name, text = '']) =>
    text.trim() === '' ? [] : [{ name, text, from }],
  );
}
