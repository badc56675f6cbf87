/**
 * What became of a mail with a link: it waits, the mail server has taken it or has refused it for good, or what it was about
 * had ended before it left. `reason` is why it was refused, or waits longer. Null once that is forgotten, a week later.
 */
export type MailState = { is: 'waiting' | 'handedOver' | 'refused' | 'ended'; reason: string | null } | null;

/** Why a notice is not sent whose push, request or link is gone, or takes nothing more. */
export const subjectEnded = 'what it is about has ended';

/** What is stored of a notice that was a mail. Times are epoch milliseconds. */
export type MailOutcome = { sentAt: number | null; endedAt: number | null; reason: string | null };

export function mailStateOf({ sentAt, endedAt, reason }: MailOutcome): NonNullable<MailState> {
  if (sentAt !== null) return { is: 'handedOver', reason: null };
  if (endedAt === null) return { is: 'waiting', reason };
  return reason === subjectEnded ? { is: 'ended', reason: null } : { is: 'refused', reason };
}
