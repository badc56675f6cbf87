import { askHidden } from '../hiddenPrompt.ts';

/** Says something about what happens, on standard error: standard output is for results. A server may have worded it. */
export function note(text: string, { quiet, json }: { quiet?: true; json?: true } = {}): void {
  if (!quiet && !json) process.stderr.write(`${visible(text)}\n`);
}

/** Refuses to ask without a terminal. `advice` says what to do instead. */
export function requireTerminal(advice: string): void {
  if (!process.stdin.isTTY) throw new Error(`There is no terminal to ask on. ${advice}`);
}

/** Asks at the terminal for something that is not shown. */
export async function askSecret(question: string): Promise<string> {
  const [answer = ''] = await askHidden([question]);
  return answer;
}

/** A text for a terminal, with what could control it made visible. A secret may come from anybody. Line breaks and tabs stay. */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(
      /(?![\n\t])[\p{Control}\p{Bidi_Control}]/gu,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
