import { z } from 'zod';

/** Somebody who has views of a push of their own, for its owner. */
export const recipientResponse = z.object({
  id: z.string().length(32),
  name: z.string().nullable().describe('null if it cannot be decrypted, because its key is missing'),
  html_url: z.url().nullable().describe('Their own link; null if it cannot be decrypted'),
  json_url: z.url().nullable(),
  views_remaining: z.int().min(0).describe('Views that nobody else can use'),
  views_total: z.int().min(1),
  opened_at: z.iso.datetime().nullable().describe('When they first opened the push'),
  last_opened_at: z.iso.datetime().nullable(),
});

/** Who used views through a link of their own. */
export const openerResponse = z.object({ id: z.string().length(32), name: z.string().nullable() });
