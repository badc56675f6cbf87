import type { Operation, Parameter } from '../../http/openApi.ts';

/** For operations that need credentials. */
export const authenticated: Pick<Operation, 'security'> = {
  security: [{ bearer: [] }, { userEmail: [], userToken: [] }],
};

export const pageParameter: Parameter = {
  name: 'page',
  in: 'query',
  description: '50 entries per page',
  schema: { type: 'integer', minimum: 1, maximum: 200, default: 1 },
};

export function pathParameter(name: string, description: string): Parameter {
  return { name, in: 'path', required: true, description, schema: { type: 'string' } };
}

export function queryParameter(name: string, description: string): Parameter {
  return { name, in: 'query', description, schema: { type: 'string' } };
}

export function headerParameter(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' } };
}
