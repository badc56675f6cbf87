import { z } from 'zod';

/** A time in a response. */
export const timeResponse = z.iso.datetime().describe('ISO 8601, UTC, milliseconds');
