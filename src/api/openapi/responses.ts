import { z } from 'zod';
import type { Operation } from '../../http/openApi.ts';
import { errorResponse } from '../schemas.ts';

const errorDescriptions: Record<number, string> = {
  400: 'The request is malformed, or its root object is missing',
  401: 'A credential or the passphrase is missing or wrong',
  403: 'Not allowed',
  404: 'No such push',
  413: 'The body is too large',
  415: 'The Content-Type or Content-Encoding is not supported',
  422: 'Validation failed; every invalid field is named',
  429: 'Too many requests; Retry-After says when to try again',
  503: 'The database is out of reach; no view was counted',
};

/** The responses of an operation; `others` are errors that mean something else than usual here. */
export function responses(
  successes: Record<number, [description: string, schema: z.ZodType]>,
  errors: number[],
  others: Record<number, string> = {},
): Pick<Operation, 'responses'> {
  const described: Record<number, string> = Object.fromEntries(
    errors.map((status) => [status, errorDescriptions[status] ?? '']),
  );
  return {
    responses: {
      ...Object.fromEntries(
        Object.entries(successes).map(([status, [description, schema]]) => [
          status,
          response(description, schema),
        ]),
      ),
      ...Object.fromEntries(
        Object.entries({ ...described, ...others }).map(([status, description]) => [
          status,
          response(description, errorResponse),
        ]),
      ),
    },
  };
}

function response(description: string, schema: z.ZodType) {
  const { $schema, ...rules } = z.toJSONSchema(schema);
  return { description, content: { 'application/json': { schema: rules } } };
}
