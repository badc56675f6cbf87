import type { Paths } from '../../http/openApi.ts';
import { schemaRef } from './components.ts';
import { auditExample, exampleToken } from './examples.ts';
import { authenticated, pageParameter, urlTokenParameter } from './parameters.ts';
import { nextPage, responses } from './responses.ts';
import { codeSamples } from './samples.ts';

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
        parameters: [urlTokenParameter, pageParameter],
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
