import { isRecord } from './errors.ts';
import { iteratePages } from './pages.ts';
import type { CallOptions, Transport } from './transport.ts';

/** An entry in the security log of an account. `actor` is null if it was the account itself, or somebody who passed for it. */
export type SecurityLogEntry = {
  id: string;
  kind: string;
  detail: string | null;
  actor: string | null;
  ip: string;
  user_agent: string;
  /** Roughly where the address is today, where the server has a database of places. */
  place?: { city?: string; country?: string; country_code?: string };
  /** How many wrong tries the entry stands for. */
  times: number;
  created_at: string;
  last_at: string;
};

const missing = 'The server has no security log.';
const isPage = (body: unknown) => isRecord(body) && Array.isArray(body.events);

/** What an account knows of itself. Only hushpush has this. */
export const createAccountCalls = ({ call }: Transport) => ({
  /** What happened to the sign-in of the account in the last 180 days, newest first. */
  security: (options: CallOptions = {}) =>
    iteratePages<SecurityLogEntry>(async (page) => {
      const request = { ...options, missing, query: { page } };
      return (await call<{ events: SecurityLogEntry[] }>('api/v1/account/security.json', isPage, request))
        .events;
    }),
});
