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

/** Where an address is. */
export const placeResponse = z
  .object({
    city: z.string().optional(),
    country: z.string().optional(),
    country_code: z.string().optional().describe('ISO 3166-1 alpha-2'),
  })
  .describe(
    'Roughly where the address is today, in English, by the operator’s database (GEOIP_DATABASE). Missing without one, and for addresses that it does not know',
  );
