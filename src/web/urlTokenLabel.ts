import { urlTokenSha256 } from '../domain/index.ts';

let last = { urlToken: '', label: '' };

/** Eight digits by which cookies and paths tell pushes apart. They open nothing. */
export function urlTokenLabel(urlToken: string): string {
  if (last.urlToken !== urlToken) last = { urlToken, label: urlTokenSha256(urlToken).slice(0, 8) };
  return last.label; // a page has several cookies of one push
}
