import { z } from 'zod';

/** What names a push and opens nothing. */
export const sha256Response = z
  .string()
  .length(64)
  .describe(
    'The SHA-256 of the url token, in hexadecimal. With an API token it stands for the url token of a push of yours wherever that retrieves nothing',
  );
