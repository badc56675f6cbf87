import { createTokenPage } from './tokenPage.ts';

/** The page of an anonymous push for its creator. Lax, since people follow their private link from wherever they keep it. */
export const statusTokenPage = createTokenPage('status', { sameSite: 'lax' });
