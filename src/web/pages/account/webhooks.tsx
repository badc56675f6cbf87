import type { Webhook } from '../../../domain/index.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { OneTimeValue } from '../../components/copy.tsx';
import { TextField } from '../../components/fields.tsx';
import { ActionButton, ButtonLink, Form } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { LabelledTime } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';
import type { RefusedForm } from '../errorPage.tsx';
import { EventTypeFields } from './webhookTypes.tsx';

export type WebhooksPage = RefusedForm & {
  webhooks: Webhook[];
  /** The signing secret of a webhook that was just added, or has a new one. */
  secret?: string;
  success?: string | undefined;
};

/** The account's webhooks, with a form for a new one. */
export function webhooksPage(
  page: PageContext,
  { webhooks, secret, success, problem, entered, problems }: WebhooksPage,
): string {
  const { messages } = page;
  const texts = messages.webhooks;
  return accountPage(page, {
    section: 'webhooks',
    lead: texts.lead,
    ...{ success, problem },
    scripts: ['copy.js'],
    children: (
      <>
        {secret && <OneTimeValue page={page} label={texts.secret} value={secret} copyText={texts.copy} />}
        <List
          emptyText={texts.none}
          items={webhooks.map((webhook) => ({
            title: webhook.url ?? texts.unreadable,
            details: [
              `${texts.state}: ${texts.states[stateOf(webhook)]}`,
              `${texts.typesLabel}: ${webhook.types?.join(', ') ?? texts.allTypes}`,
              <LabelledTime messages={messages} label={texts.added} at={webhook.createdAt} />,
            ],
            actions: <WebhookActions page={page} webhook={webhook} />,
          }))}
        />
        <NewWebhookForm page={page} entered={entered} problems={problems} />
      </>
    ),
  });
}

function WebhookActions({ page, webhook }: { page: PageContext; webhook: Webhook }) {
  const { webhooks: texts } = page.messages;
  const { id, disabledAt } = webhook;
  const url = webhook.url ?? texts.unreadable;
  const action = (name: string) => ({ page, id, action: `/account/webhooks/${name}` });
  const link = (name: string) => ({ class: 'secondary', href: page.path(`${action(name).action}?id=${id}`) });
  return (
    <>
      <ButtonLink {...link('deliveries')} aria-label={texts.deliveriesOf(url)} text={texts.deliveries} />
      <ButtonLink {...link('events')} aria-label={texts.changeTypesOf(url)} text={texts.changeTypes} />
      {disabledAt === null ? (
        <ActionButton {...action('test')} text={texts.test} label={texts.testOf(url)} />
      ) : (
        <ActionButton {...action('enable')} text={texts.enable} label={texts.enableOf(url)} />
      )}
      <ActionButton
        {...action('secret')}
        text={texts.rotate}
        label={texts.rotateOf(url)}
        confirmation={{ hint: texts.rotateHint, text: texts.rotate }}
      />
      <ActionButton
        {...action('remove')}
        text={texts.remove}
        label={texts.removeOf(url)}
        confirmation={{ hint: texts.removeHint, text: texts.remove }}
      />
    </>
  );
}

type NewWebhookFormProps = RefusedForm & { page: PageContext };

function NewWebhookForm({ page, entered = {}, problems = {} }: NewWebhookFormProps) {
  const { webhooks: texts } = page.messages;
  return (
    <Form page={page} action="/account/webhooks">
      <TextField
        name="url"
        label={texts.url}
        type="url"
        placeholder="https://"
        required
        value={entered.url}
        problem={problems.url}
      />
      <EventTypeFields page={page} isChosen={(type) => entered[type] === 'on'} />
      <button type="submit">{texts.add}</button>
    </Form>
  );
}

function stateOf({ disabledAt, failingSince }: Webhook): 'working' | 'failing' | 'disabled' {
  if (disabledAt !== null) return 'disabled';
  return failingSince === null ? 'working' : 'failing';
}
