import { urlTokenSha256 } from '../domain/index.ts';

/** Eight digits by which cookies and paths tell pushes apart. They open nothing. */
export function urlTokenLabel(urlToken: string): string {
  return urlTokenSha256(urlToken).slice(0, 8);
}
