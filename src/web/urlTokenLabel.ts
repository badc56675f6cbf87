import { digestOf } from '../domain/index.ts';

/** Eight digits by which cookies and paths tell pushes apart. They open nothing. */
export function urlTokenLabel(urlToken: string): string {
  return digestOf(urlToken).toString('hex').slice(0, 8);
}
