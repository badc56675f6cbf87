import type { Delivery, Domain, Messenger, Notice } from '../domain/index.ts';
import { messagesOf, toLocale } from '../locales/locales.ts';
import type { Look } from '../look/look.ts';
import { dayMs, minuteMs } from '../time.ts';
import { contentOf } from './contents.ts';
import { renderMail } from './layout.tsx';
import { isByPolicy, type MailResult } from './results.ts';
import { type MailTransport, mailConnectionsMax } from './transport.ts';

type Dependencies = {
  addresses: Pick<Domain['mailAddresses'], 'maybeFind' | 'recordRefusal' | 'clearRefusal'>;
  unsubscribeToken: Domain['mailLinks']['unsubscribeToken'];
  transport: Pick<MailTransport, 'prepare' | 'send'>;
  baseUrl: string;
  look?: Look;
  perMinute: number;
  /** Gets the result of each attempt, for metrics. */
  onResult?: ((result: string) => void) | undefined;
  /** The mail server is out of reach, or does not let us send. */
  onUnavailable: (reason: string) => void;
};

/**
 * Delivers notices as mails. An address is the id of an e-mail address. What is delivered is with the mail server of the operator; what
 * comes of it there, nobody tells us.
 */
export function createMailMessenger(dependencies: Dependencies): Messenger {
  const { addresses, unsubscribeToken, transport, baseUrl, look, perMinute } = dependencies;
  const { onResult = () => {}, onUnavailable } = dependencies;

  async function deliver(address: string, notice: Notice): Promise<Delivery> {
    const recipient = await addresses.maybeFind(address);
    if (recipient === undefined) return { outcome: 'never', reason: 'the address is forgotten' };
    const locale = toLocale(recipient.locale ?? undefined);
    const unsubscribeHref = `${baseUrl}/unsubscribe/${unsubscribeToken(address)}`;
    const reader = { locale, messages: messagesOf(locale), baseUrl, look, unsubscribeHref };
    const content = contentOf(notice, reader);
    if (content === undefined) return { outcome: 'never', reason: 'not sent by mail' };
    const result = await transport.send({
      id: notice.id,
      to: recipient.address,
      ...renderMail(content, reader),
      thread: 'push' in notice ? notice.push.id : undefined,
      ...(content.unsubscribe && { headers: unsubscribeHeaders(content.unsubscribe) }),
    });
    onResult(labelOf(result));
    if (result.outcome === 'handedOver' && recipient.isRefused) await addresses.clearRefusal(address);
    if (result.outcome === 'refused') await addresses.recordRefusal(address, result.reason);
    if (result.outcome === 'unavailable') onUnavailable(result.reason);
    return deliveryOf(result);
  }

  return {
    deliver,
    prepare: transport.prepare,
    addressesMax: 2 * mailConnectionsMax,
    rate: { points: perMinute, seconds: minuteMs / 1_000 },
    giveUpAfterMs: dayMs,
  };
}

const labelOf = (result: MailResult): string => {
  if (result.outcome === 'handedOver') return 'handed_over';
  return result.outcome === 'refused' && isByPolicy(result.reason) ? 'refused_by_policy' : result.outcome;
};

/** RFC 8058: what mail programs send a POST to, when somebody presses a button of theirs. */
const unsubscribeHeaders = ({ href }: { href: string }) => ({
  'List-Unsubscribe': `<${href}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

function deliveryOf(result: MailResult): Delivery {
  switch (result.outcome) {
    case 'handedOver':
      return { outcome: 'sent' };
    case 'refused':
      return { outcome: 'never', reason: result.reason };
    case 'later':
      return { outcome: 'later', reason: result.reason };
    case 'unavailable':
      return { outcome: 'later', reason: result.reason, isDown: true };
  }
}
