import { expect } from 'chai';
import { webhookEvent } from '../../src/api/schemas/webhooks.ts';
import { type OwnerEvent, ownerEvents, type PushRecipient } from '../../src/domain/index.ts';
import { buildWebhookBody } from '../../src/webhooks/body.ts';

const recipient: PushRecipient = {
  id: '0123456789abcdef0123456789abcdef',
  platform: null,
  address: null,
  name: 'Ann',
  urlToken: null,
  isBound: false,
  viewsMax: 1,
  viewsUsed: 1,
  openedAt: 0,
  lastOpenedAt: 0,
};

function sentFor(event: OwnerEvent, openers: PushRecipient[]): unknown {
  const push = {
    id: recipient.id,
    urlToken: '0'.repeat(26),
    urlTokenSha256: 'ab'.repeat(32),
    name: null,
    kind: 'text' as const,
    viewsMax: 5,
    viewsUsed: 2,
    createdAt: 0,
    expiresAt: 0,
  };
  const notice = { id: 'notice_1', event, times: 3, startedAt: 0, happenedAt: 0, attempt: 1, push, openers };
  return JSON.parse(buildWebhookBody(notice));
}

describe('An event that a webhook receives', () => {
  it('has the fields that the API describes, and no others', () => {
    for (const event of Object.keys(ownerEvents) as OwnerEvent[])
      for (const openers of [[], [recipient, { ...recipient, name: null }]]) {
        const sent = sentFor(event, openers);
        expect(webhookEvent.parse(sent), event).to.deep.equal(sent);
      }
  });
});
