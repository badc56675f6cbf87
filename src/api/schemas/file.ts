import { z } from 'zod';

/** A file of a push. */
export const fileResponse = z.object({
  filename: z.string(),
  content_type: z.string().describe('As the client that uploaded the file stated it'),
  size: z.int().min(0).describe('In bytes'),
  url: z
    .url()
    .nullable()
    .describe('Where to download the file, for ten minutes; null unless a view was counted'),
});
