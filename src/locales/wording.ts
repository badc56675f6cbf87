import type { DomainError, MessageCode, MessageValues, Problem } from '../errors.ts';

/** The words of a language for each problem, to follow the name of a field or to stand alone. */
export type ProblemTexts = {
  [Code in Problem['code']]: (problem: Extract<Problem, { code: Code }>) => string;
};

/** The sentences of a language for each refusal. */
export type RefusalTexts = {
  [Code in MessageCode]: Code extends keyof MessageValues ? (values: MessageValues[Code]) => string : string;
};

type Texts = { problems: ProblemTexts; refusals: RefusalTexts };

/** What is wrong with an input: in English “must be between 1 and 100”, to follow its name. */
export function problemText({ problems }: Texts, problem: Problem): string {
  const text = problems[problem.code] as (problem: Problem) => string;
  return text(problem);
}

/** What is wrong with an input, as a sentence: “Must be between 1 and 100.” */
export function problemSentence(texts: Texts, problem: Problem): string {
  return asSentence(problemText(texts, problem));
}

/** Why something was refused. The first problem with an input follows the name that `nameOf` gives the input. */
export function refusalText(
  texts: Texts,
  { message, messageCode, values, problems }: Refusal,
  nameOf: (field: string) => string = (field) => field,
): string {
  if (messageCode !== undefined) {
    const text = texts.refusals[messageCode] as string | ((values: Refusal['values']) => string);
    return typeof text === 'string' ? text : text(values);
  }
  const [first] = Object.entries(problems);
  const [field, [problem] = []] = first ?? [];
  return field === undefined || problem === undefined
    ? message
    : `${nameOf(field)} ${problemText(texts, problem)}`;
}

type Refusal = Pick<DomainError, 'message' | 'messageCode' | 'values' | 'problems'>;

/** With a capital letter and a full stop. */
export function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
