import type { Operation, Paths } from '../../http/openApi.ts';
import { authenticated, urlTokenParameter } from './parameters.ts';
import { responses } from './responses.ts';

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
    parameters: [urlTokenParameter],
    responses: {
      200: { description: 'The log', content },
      ...responses({}, [401, 403, 404, 429, 503]).responses,
    },
  };
}
