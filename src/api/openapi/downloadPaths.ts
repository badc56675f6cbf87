import type { Paths } from '../../http/openApi.ts';
import { fileContent } from './components.ts';
import { headerParameter, maybeAuthenticated, pathParameter } from './parameters.ts';
import { responses } from './responses.ts';

const content = { 'application/octet-stream': { schema: fileContent } };

export const downloadPaths: Paths = {
  '/download/{grant}/{number}': {
    get: {
      operationId: 'downloadFile',
      tags: ['Pushes'],
      summary: 'Download a file of a push',
      description:
        'The response to a retrieval contains the URLs; they work for ten minutes. Supports Range, so an interrupted download can resume.',
      ...maybeAuthenticated('full'),
      parameters: [
        pathParameter('grant', 'The download grant, as in the URL'),
        pathParameter('number', 'The number of the file, from 1'),
        headerParameter('Range', 'One range of bytes'),
        headerParameter('If-Range', 'The ETag that the range belongs to'),
      ],
      responses: {
        200: { description: 'The file', content },
        206: { description: 'The requested range', content },
        ...responses({}, [401, 403, 404, 416, 429, 503]).responses,
      },
    },
  },
};
