import type { ListedPush, PushRecipient } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';

/** A push in a list, with its recipients. */
export type LabelledPush = ListedPush & { recipients: PushRecipient[] };

/** Labels of pushes in plain words, for a menu; no two are equal. Names of people are known only where the chat told them. */
export function createPushLabels({ chat, ago }: Messages): (pushes: LabelledPush[]) => string[] {
  function labelOf({ name, createdAt, now, recipients }: LabelledPush): string {
    const names = recipients.flatMap(({ name }) => name ?? []);
    const to = names.length === 0 ? undefined : chat.people<string>(names).join('');
    return name ?? chat.push.label(to, ago(now - createdAt));
  }

  return (pushes) => distinctLabels(pushes.map(labelOf));
}

/** Labels of which no two are equal: a number follows those that come again. */
export function distinctLabels(labels: string[]): string[] {
  const seen = new Map<string, number>();
  return labels.map((label) => {
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return count === 1 ? label : `${label} (${count})`;
  });
}
