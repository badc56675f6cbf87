import { createHash } from 'node:crypto';

/** Eight digits by which cookies and paths tell pushes apart. They open nothing. */
export function urlTokenLabel(urlToken: string): string {
  return createHash('sha256').update(urlToken).digest('hex').slice(0, 8);
}
