import type { KeyUsage } from '../domain/index.ts';

/** What records are called, by the field of their context. */
const names: Record<string, string> = {
  url_token: 'links of owned pushes',
  payload: 'payloads',
  name: 'names',
  note: 'notes',
  files_key: 'file keys',
  file: 'file names',
  grant: 'download grants',
  link: 'one-time links',
  installation: 'Slack installations',
  reason: 'reasons of requests',
  webhook_url: 'webhook addresses',
  webhook_secret: 'webhook secrets',
};

/** What a key encrypts: “3 payloads, 2 names”. Empty if it encrypts nothing. */
export function usageText(usage: KeyUsage[]): string {
  return usage.map(({ kind, records }) => `${records} ${names[kind] ?? kind}`).join(', ');
}
