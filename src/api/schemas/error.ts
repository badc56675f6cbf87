import { z } from 'zod';

/** Why a request was refused, or failed. */
export const errorResponse = z.object({
  error: z.string(),
  errors: z.array(z.string()).optional().describe('Every problem with the input, as a sentence'),
  fields: z.record(z.string(), z.array(z.string())).optional().describe('The same problems by field'),
  message: z.string().optional().describe('What to do about it'),
  status: z.string().optional(),
});
