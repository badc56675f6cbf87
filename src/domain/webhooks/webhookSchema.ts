import { z } from 'zod';
import type { WebhookSettings } from '../settings.ts';
import { isPrivateHost } from './hosts.ts';

const urlMax = 2_048;
const tooLong = `must have at most ${urlMax} characters`;
const notAbsolute = 'must be an absolute http or https address';

export type WebhookSchema = ReturnType<typeof buildWebhookSchema>;

/** The input of a registration. Its address comes out as the URL standard writes it, so that equal ones are equal texts. */
export function buildWebhookSchema(settings: WebhookSettings) {
  return z.object({
    url: z
      .string(notAbsolute)
      .trim()
      .max(urlMax, { error: tooLong, abort: true })
      .superRefine((text, { addIssue }) => {
        const problem = problemOf(text, settings);
        if (problem !== undefined) addIssue(problem);
      })
      .transform((text) => new URL(text).href)
      .meta({ description: 'Where to send events: an absolute http or https address' }),
  });
}

function problemOf(text: string, { allowPrivate }: WebhookSettings): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return notAbsolute;
  const { href, username, password, hostname } = new URL(text);
  if (href.length > urlMax) return tooLong;
  if (username !== '' || password !== '') return 'must not hold a user name or a password';
  if (href.includes('#')) return 'must not have a fragment';
  if (!allowPrivate && isPrivateHost(hostname)) return 'must not lead to this machine or a private network';
  return undefined;
}
