import { z } from 'zod';

/** The versions of the application and the API. */
export const versionsResponse = z.object({
  application_version: z.string(),
  api_version: z.string(),
  edition: z.string(),
  features: z
    .array(z.string())
    .describe('What this server has beyond the API of Password Pusher, for clients to find'),
});
