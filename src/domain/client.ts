import { redactUrlTokens } from '../crypto/tokens.ts';

const textMax = 255;

/** What is known about a client. Texts that it did not send are empty. */
export type ClientInfo = {
  ip: string;
  userAgent: string;
  referrer: string;
  isPreviewer: boolean;
  /** Whether a page of another site had the browser send this, such as for an image. */
  isCrossSite?: boolean;
  /** Whether the client has disconnected, so that nobody waits for the result. */
  isGone?: () => boolean;
};

/**
 * A client as the columns of a row. Texts are cut at 255 characters, and url tokens are removed: a browser sends a
 * push's page as the referrer of its form, and a token in clear would open what is encrypted under it.
 */
export function clientColumns({ ip, userAgent, referrer }: ClientInfo) {
  return {
    ip: ip.slice(0, 45),
    userAgent: truncate(redactUrlTokens(userAgent)),
    referrer: truncate(redactUrlTokens(referrer)),
  };
}

function truncate(text: string): string {
  return text.length <= textMax ? text : [...text.slice(0, 2 * textMax)].slice(0, textMax).join('');
}
