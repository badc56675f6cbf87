import { z } from 'zod';
import { maybeUrl } from '../../client/url.ts';
import type { Problem } from '../../errors.ts';
import { asMessage, isPrivateHost, type WebhookSettings } from '../base/index.ts';
import { publicTypes } from '../outbox/index.ts';

const urlMax = 2_048;
const tooLong: Problem = { code: 'maxLength', max: urlMax, unit: 'characters' };
const notAbsolute: Problem = { code: 'webhookUrl' };

const typesField = z
  .array(z.enum(publicTypes, asMessage({ code: 'oneOf', values: publicTypes })), {
    error: ({ input }) => asMessage({ code: input === undefined ? 'required' : 'invalid' }),
  })
  .min(1, asMessage({ code: 'required' }))
  .transform((types) => [...new Set(types)]);

/** The input of a change of the types of events. */
export const webhookTypesSchema = z.object({ types: typesField.nullable() });

export type WebhookSchema = ReturnType<typeof buildWebhookSchema>;

/** The input of a registration. The URL is normalized by the URL standard, so that equal URLs are equal texts. */
export function buildWebhookSchema(settings: WebhookSettings) {
  return z.object({
    url: z
      .string(asMessage(notAbsolute))
      .trim()
      .max(urlMax, { error: asMessage(tooLong), abort: true })
      .superRefine((text, { addIssue }) => {
        const problem = problemOf(text, settings);
        if (problem !== undefined) addIssue(asMessage(problem));
      })
      .transform((text) => new URL(text).href)
      .meta({ description: 'Where to send events: an absolute http or https address' }),
    types: typesField.nullish().meta({ description: 'The types of events to send; all if absent' }),
  });
}

function problemOf(text: string, { allowPrivate }: WebhookSettings): Problem | undefined {
  const url = maybeUrl(text);
  if (url === undefined || !/^https?:\/\//i.test(text)) return notAbsolute;
  const { href, username, password, hostname } = url;
  if (href.length > urlMax) return tooLong;
  if (username !== '' || password !== '') return { code: 'urlCredentials' };
  if (href.includes('#')) return { code: 'urlFragment' };
  if (!allowPrivate && isPrivateHost(hostname)) return { code: 'privateUrl' };
  return undefined;
}
