import type { Operation, Paths } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { auditExample, codeSamples, exampleToken } from './examples.ts';
import { authenticated, pageParameter, pushNameParameter } from './parameters.ts';
import { nextPage, responses } from './responses.ts';

/** The audit log of a push, in pages. */
export function auditLogPath(baseUrl: string): Paths {
  const url = `${baseUrl}/p/${exampleToken}/audit.json`;
  return {
    '/p/{url_token}/audit.json': {
      get: {
        operationId: 'getAuditLog',
        tags: ['Pushes'],
        summary: 'Get the audit log of a push',
        description: 'Who created, viewed, tried and expired it, oldest first. Only for the owner.',
        ...authenticated('read'),
        parameters: [pushNameParameter, pageParameter],
        ...responses(
          {
            200: {
              description: 'A page of the log',
              schema: schemaRef('AuditLog'),
              headers: nextPage,
              example: auditExample,
            },
          },
          [400, 401, 403, 404, 429, 503],
        ),
        'x-codeSamples': codeSamples({ method: 'GET', url, isAuthenticated: true }),
      },
    },
  };
}

/** The audit log in formats for other programs. */
export function auditExportPaths(): Paths {
  return {
    '/p/{url_token}/audit.csv': { get: exportAs('exportAuditLogCsv', 'CSV', 'text/csv') },
    '/p/{url_token}/audit.ndjson': {
      get: exportAs('exportAuditLogNdjson', 'a JSON object per line', 'application/x-ndjson'),
    },
  };
}

function exportAs(operationId: string, format: string, type: string): Operation {
  const content = { [type]: { schema: { type: 'string' } } };
  return {
    operationId,
    tags: ['Pushes'],
    summary: `Get the whole audit log as ${format}`,
    description: 'All pages at once, oldest entry first.',
    ...authenticated('read'),
    parameters: [pushNameParameter],
    responses: {
      200: { description: 'The log', content },
      ...responses({}, [401, 403, 404, 429, 503]).responses,
    },
  };
}
