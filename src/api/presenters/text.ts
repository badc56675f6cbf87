import { redactUrlTokens } from '../../domain/index.ts';

/** How user text is presented. Callers who may not see links get it without anything that could be one. */
export const textFor =
  (seesLinks: boolean) =>
  <Text extends string | null>(text: Text) =>
    (seesLinks || text === null ? text : redactUrlTokens(text)) as Text;
