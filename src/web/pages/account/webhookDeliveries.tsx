import { accountTypes, ownerEvents, type Webhook, type WebhookDelivery } from '../../../domain/index.ts';
import type { Messages } from '../../../locales/locales.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { ActionButton } from '../../components/form.tsx';
import { List, Pagination, type Paging } from '../../components/list.tsx';
import { LabelledTime } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';

type DeliveriesPage = Paging & {
  webhook: Webhook;
  deliveries: WebhookDelivery[];
  success?: string | undefined;
};

/** What was sent to a webhook, and what waits. */
export function webhookDeliveriesPage(
  page: PageContext,
  { webhook, deliveries, success, ...paging }: DeliveriesPage,
): string {
  const { messages } = page;
  const { webhooks: texts, pushes } = messages;
  return accountPage(page, {
    section: 'webhooks',
    back: { path: '/account/webhooks', text: texts.title },
    title: texts.deliveriesOf(webhook.url ?? texts.unreadable),
    lead: texts.deliveriesLead,
    success,
    children: (
      <>
        <List
          emptyText={texts.noDeliveries}
          items={deliveries.map((delivery) => {
            const type = typeOf(delivery);
            return {
              title: [<code>{type}</code>, delivery.times > 1 && ` ×${delivery.times}`],
              details: deliveryDetails(messages, delivery),
              actions: (
                <ActionButton
                  page={page}
                  action="/account/webhooks/redeliver"
                  id={webhook.id}
                  fields={{ delivery: delivery.id }}
                  text={texts.redeliver}
                  label={texts.redeliverOf(type)}
                />
              ),
            };
          })}
        />
        <Pagination
          page={page}
          {...paging}
          texts={[pushes.newer, pushes.older]}
          pathOf={(other) => `/account/webhooks/deliveries?id=${webhook.id}&page=${other}`}
        />
      </>
    ),
  });
}

const typeOf = ({ event }: WebhookDelivery) => {
  if (event === 'test') return 'webhook.test';
  return event === 'account_act' || event === 'new_browser' ? accountTypes[event] : ownerEvents[event].type;
};

function deliveryDetails(messages: Messages, delivery: WebhookDelivery) {
  const { webhooks: texts } = messages;
  const { state, attempts, lastProblem, happenedAt, nextAttemptAt } = delivery;
  const outcome = [texts.deliveryStates[state], ...(attempts > 0 ? [texts.attempts(attempts)] : [])];
  return [
    texts.eventTypes[typeOf(delivery)],
    [...outcome, ...(lastProblem === null ? [] : [lastProblem])].join(' · '),
    <LabelledTime messages={messages} label={texts.happened} at={happenedAt} />,
    nextAttemptAt && <LabelledTime messages={messages} label={texts.nextAttempt} at={nextAttemptAt} />,
  ];
}
