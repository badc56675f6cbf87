import type { NoticePreferences, WorkspaceSettings } from '../domain/index.ts';

/** Something to choose: what people read, and what it means to us. */
export type Choice = { label: string; value: string };

export const viewChoices = [1, 2, 3, 5, 10, 25, 100];
export const dayChoices = [1, 2, 3, 7, 14, 30, 60, 90];

/** Numbers to choose from, up to a bound, with the present one among them. */
export function numberChoices(choices: number[], max: number, current: number, noun: string): Choice[] {
  const all = [...new Set([...choices.filter((each) => each <= max), current])].sort((a, b) => a - b);
  return all.map((each) => ({ label: `${each} ${noun}${each === 1 ? '' : 's'}`, value: String(each) }));
}

/** The same for a number that may be left to somebody else: the first choice says to whom. */
export function optionalNumberChoices(
  choices: number[],
  max: number,
  current: number | undefined,
  noun: string,
  emptyChoice: Choice,
): Choice[] {
  return [emptyChoice, ...numberChoices(choices, max, current ?? Math.min(max, choices[0] ?? 1), noun)];
}

export const defaultChoice: Choice = { label: 'As usual here', value: 'usual' };
export const unlimitedChoice: Choice = { label: 'No limit of ours', value: 'none' };

export const viewedOptions: Choice[] = [
  { label: 'Every view', value: 'every' },
  { label: 'The first view', value: 'first' },
  { label: 'Never', value: 'none' },
];

export const noticeChoices: Choice[] = [
  { label: 'A push expires', value: 'expired' },
  { label: 'Somebody enters a wrong passphrase', value: 'failedPassphrase' },
  { label: 'A push is about to expire unread', value: 'reminder' },
  { label: 'Somebody asks for a push that is over', value: 'askedAgain' },
];

export const rules = {
  requireRecipients: { label: 'Every push needs recipients', value: 'requireRecipients' },
  allowSlashText: { label: 'Secrets may be typed after the command', value: 'allowSlashText' },
} satisfies Partial<Record<keyof WorkspaceSettings, Choice>>;

/** Which of the notices, but those of views, somebody gets. */
export function enabledNotices({ viewed: _, ...others }: NoticePreferences): string[] {
  return Object.entries(others).flatMap(([name, isOn]) => (isOn ? [name] : []));
}

/** What somebody chose to be told of. */
export function toNoticePreferences(
  viewed: string | undefined,
  checked: ReadonlySet<string>,
): NoticePreferences {
  return {
    viewed: (['every', 'first', 'none'] as const).find((each) => each === viewed) ?? 'every',
    expired: checked.has('expired'),
    failedPassphrase: checked.has('failedPassphrase'),
    reminder: checked.has('reminder'),
    askedAgain: checked.has('askedAgain'),
  };
}
