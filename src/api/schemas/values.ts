import { z } from 'zod';

/** A time in a response. */
export const timeResponse = z.iso.datetime().describe('ISO 8601, UTC, milliseconds');

/** What names a push and opens nothing. */
export const sha256Response = z
  .string()
  .length(64)
  .describe(
    'The SHA-256 of the url token, in hexadecimal. With an API token it stands for the url token of a push of yours wherever that retrieves nothing',
  );

/** Who used views through a link of their own. */
export const openerResponse = z.object({ id: z.string().length(32), name: z.string().nullable() });
