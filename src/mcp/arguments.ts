/** An argument of a tool, as JSON Schema describes it. */
export type ToolProperty = {
  type: 'string' | 'integer' | 'boolean' | 'array';
  description: string;
  enum?: string[];
  minimum?: number;
  /** What an array consists of. */
  items?: { type: 'string' };
};

export type ToolArguments = Record<string, unknown>;

type Signature = { properties: Record<string, ToolProperty>; required: string[] };

/** What is wrong with the arguments of a tool; undefined if nothing is. */
export function argumentProblem(
  { properties, required }: Signature,
  given: ToolArguments,
): string | undefined {
  const missing = required.find((name) => given[name] === undefined);
  if (missing !== undefined) return `${missing} is missing.`;
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) return `There is no argument ${name}.`;
    const problem = valueProblem(property, value);
    if (problem !== undefined) return `${name} must be ${problem}.`;
  }
  return undefined;
}

function valueProblem(
  { type, minimum = 0, enum: choices }: ToolProperty,
  value: unknown,
): string | undefined {
  if (type === 'integer')
    return Number.isInteger(value) && Number(value) >= minimum ? undefined : `an integer from ${minimum}`;
  if (type === 'array') return isTexts(value) ? undefined : 'a list of strings';
  if (typeof value !== type) return `a ${type}`;
  return choices && !choices.includes(String(value)) ? `one of ${choices.join(', ')}` : undefined;
}

const isTexts = (value: unknown) =>
  Array.isArray(value) && value.every((item: unknown) => typeof item === 'string');
