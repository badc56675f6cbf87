import { urlTokenSha256 } from '../domain/index.ts';

/** Eight digits by which cookies and paths tell pushes apart. They open nothing. */
export const urlTokenLabel = (urlToken: string): string => urlTokenSha256(urlToken).slice(0, 8);
