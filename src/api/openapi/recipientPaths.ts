import type { Paths } from '../../http/openApi.ts';
import { exampleRequestLinkId } from './examples.ts';
import { pathOf } from './operation.ts';
import { queryParameter } from './parameters.ts';
import { pushName } from './pushPaths.ts';
import { linkId } from './requestPaths.ts';

const recipient = queryParameter(
  'recipient',
  'Who, of those named by an e-mail address: that address, or the id among the `recipients` of the push',
);

/** What there is where the server sends mails. */
export function recipientPaths(baseUrl: string): Paths {
  const about = {
    account: 'full' as const,
    parameters: [pushName, { ...recipient, required: true }],
    success: [200, 'The push', 'Push'] as [number, string, string],
  };
  const pushes = pathOf({ baseUrl, tag: 'Pushes' }, '/p/{url_token}/recipients.json', {
    post: {
      ...about,
      operationId: 'mailRecipientAgain',
      summary: 'Send a recipient the mail with their link again',
      description:
        'For a recipient who is named by an e-mail address, and has views left. Counts against the limits of mails.',
      errors: [404, 422],
    },
    delete: {
      ...about,
      operationId: 'withdrawRecipient',
      summary: 'Withdraw the link of a recipient',
      description:
        'For a recipient who is named by an e-mail address. The link ends, and the views that are left go back to the push.',
      errors: [404],
    },
  });
  const requestLinks = pathOf(
    { baseUrl, tag: 'Requests', examples: { id: exampleRequestLinkId } },
    '/api/v1/request-links/recipients.json',
    {
      post: {
        operationId: 'mailRequestLinkAgain',
        summary: 'Send an address the mail with a request link again',
        description:
          'For an address that an open request link went to in the last week. Counts against the limits of mails.',
        account: 'full',
        parameters: [linkId, { ...queryParameter('recipient', 'The e-mail address'), required: true }],
        success: [200, 'The request link', 'RequestLink'],
        errors: [404, 422],
      },
    },
  );
  return { ...pushes, ...requestLinks };
}
