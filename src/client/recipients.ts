import { urlTokenOf } from './links.ts';
import { type CallOptions, isPushBody, type Transport } from './transport.ts';
import type { PushObject } from './wire.ts';

const missing = 'There is no such push, no such recipient with views left, or the server sends no mails.';

/** The recipients of a push who were named by an e-mail address. `recipient` is that, or their id. Only hushpush has these. */
export const createRecipientCalls = ({ call, links }: Transport) => {
  async function act(method: 'POST' | 'DELETE', push: string, recipient: string, options: CallOptions) {
    const request = { ...options, method, query: { recipient }, missing };
    const path = `p/${urlTokenOf(push)}/recipients.json`;
    return links.requireOwnLinks(await call<PushObject>(path, isPushBody, request));
  }

  return {
    /** Mails them their link again. */
    sendAgain: (push: string, recipient: string, options: CallOptions = {}): Promise<PushObject> =>
      act('POST', push, recipient, options),
    /** Ends their link, and gives its views back to the push. */
    withdraw: (push: string, recipient: string, options: CallOptions = {}): Promise<PushObject> =>
      act('DELETE', push, recipient, options),
  };
};
