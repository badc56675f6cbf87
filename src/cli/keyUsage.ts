import type { KeyUsage } from '../domain/index.ts';

/** What one record and several are called, by the field of their context. */
const names: Record<string, [one: string, other: string]> = {
  push: ['label of an owned push (link, name, note)', 'labels of owned pushes (link, name, note)'],
  payload: ['secret', 'secrets'],
  view: ['view to show again', 'views to show again'],
  created_push: ['repeatable creation', 'repeatable creations'],
  recipient: ['name of a recipient', 'names of recipients'],
  recipient_token: ['link of a recipient', 'links of recipients'],
  files_key: ['file key', 'file keys'],
  sender: ['line of a sender', 'lines of senders'],
  file: ['file name', 'file names'],
  grant: ['download grant', 'download grants'],
  link: ['one-time link', 'one-time links'],
  installation: ['Slack installation', 'Slack installations'],
  reason: ['reason of a request', 'reasons of requests'],
  request_link: ['label of a request link', 'labels of request links'],
  request_answer: ['receipt of an answer', 'receipts of answers'],
  request_answer_key: ['key of a sealed answer', 'keys of sealed answers'],
  id_token: ['ID token of a session', 'ID tokens of sessions'],
  totp_secret: ['secret of an authenticator app', 'secrets of authenticator apps'],
  webhook_url: ['webhook address', 'webhook addresses'],
  webhook_secret: ['webhook secret', 'webhook secrets'],
  previous_webhook_secret: ['replaced webhook secret', 'replaced webhook secrets'],
};

/** What a key encrypts: “3 secrets, 1 file name”. Empty if it encrypts nothing. */
export function usageText(usage: KeyUsage[]): string {
  return usage
    .map(({ kind, records }) => {
      const [one, other] = names[kind] ?? [kind, kind];
      return `${records} ${records === 1 ? one : other}`;
    })
    .join(', ');
}
