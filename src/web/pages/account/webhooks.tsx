import type { Webhook } from '../../../domain/index.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { ErrorMessage, SuccessMessage } from '../../components/alerts.tsx';
import { OneTimeValue } from '../../components/copy.tsx';
import { TextField } from '../../components/fields.tsx';
import { ActionButton, ButtonLink, Form } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { LabelledTime } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';
import { EventTypeFields } from './webhookTypes.tsx';

type WebhooksPage = {
  webhooks: Webhook[];
  /** The signing secret of a webhook that was just added, or has a new one. */
  secret?: string;
  success?: string | undefined;
  problem?: string | undefined;
  /** What was sent with the form, if it is shown again. */
  entered?: Record<string, string> | undefined;
  problems?: Record<string, string> | undefined;
};

/** The account's webhooks, with a form for a new one. */
export function webhooksPage(
  page: PageContext,
  { webhooks, secret, success, problem, entered, problems }: WebhooksPage,
): string {
  const { messages } = page;
  return accountPage(page, {
    section: 'webhooks',
    lead: messages.webhooks.lead,
    scripts: ['copy.js'],
    children: (
      <>
        <SuccessMessage text={success} />
        <ErrorMessage text={problem} />
        {secret && (
          <OneTimeValue
            page={page}
            label={messages.webhooks.secret}
            value={secret}
            copyText={messages.webhooks.copy}
          />
        )}
        <List
          emptyText={messages.webhooks.none}
          items={webhooks.map((webhook) => ({
            title: webhook.url ?? messages.webhooks.unreadable,
            details: [
              `${messages.webhooks.state}: ${messages.webhooks.states[stateOf(webhook)]}`,
              `${messages.webhooks.typesLabel}: ${webhook.types?.join(', ') ?? messages.webhooks.allTypes}`,
              <LabelledTime messages={messages} label={messages.webhooks.added} at={webhook.createdAt} />,
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
  return (
    <>
      <ButtonLink
        class="secondary"
        href={page.path(`/account/webhooks/deliveries?id=${id}`)}
        aria-label={texts.deliveriesOf(url)}
        text={texts.deliveries}
      />
      <ButtonLink
        class="secondary"
        href={page.path(`/account/webhooks/events?id=${id}`)}
        aria-label={texts.changeTypesOf(url)}
        text={texts.changeTypes}
      />
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

type NewWebhookFormProps = { page: PageContext } & Pick<WebhooksPage, 'entered' | 'problems'>;

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
