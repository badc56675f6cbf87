import type { MailEvent } from '../../outbox/index.ts';

/** The mails that bring a link. */
export type LinkMailEvent = Exclude<MailEvent, 'security'>;

/** What a link does that was mailed to `to`. `account` is the id of the account that has the address `from`, in hexadecimal. */
export type VerifyContext = { account: string; from: string; to: string };

export type SignUpContext = { email: string };
