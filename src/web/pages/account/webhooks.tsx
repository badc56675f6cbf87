import type { Webhook } from '../../../domain/index.ts';
import { ErrorMessage, SuccessMessage } from '../../components/alerts.tsx';
import { OneTimeValue } from '../../components/copy.tsx';
import { TextField } from '../../components/fields.tsx';
import { ActionButton, Form } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { Time } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';
import { accountPage } from './accountPage.tsx';

type WebhooksPage = {
  webhooks: Webhook[];
  /** The signing secret of the webhook that was just added. */
  secret?: string;
  success?: string | undefined;
  problem?: string | undefined;
  url?: string | undefined;
  problems?: Record<string, string>;
};

/** The account's webhooks, with a form for a new one. */
export function webhooksPage(
  page: PageContext,
  { webhooks, secret, success, problem, url, problems = {} }: WebhooksPage,
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
              <>
                {messages.webhooks.added}: <Time messages={messages} at={webhook.createdAt} />
              </>,
            ],
            actions: <WebhookActions page={page} webhook={webhook} />,
          }))}
        />
        <Form page={page} action="/account/webhooks">
          <TextField
            name="url"
            label={messages.webhooks.url}
            type="url"
            placeholder="https://"
            required
            value={url}
            problem={problems.url}
          />
          <button type="submit">{messages.webhooks.add}</button>
        </Form>
      </>
    ),
  });
}

function WebhookActions({ page, webhook }: { page: PageContext; webhook: Webhook }) {
  const { enable, enableOf, remove, removeOf, removeHint, unreadable } = page.messages.webhooks;
  const { id, disabledAt } = webhook;
  const url = webhook.url ?? unreadable;
  return (
    <>
      {disabledAt === null ? null : (
        <ActionButton
          page={page}
          action="/account/webhooks/enable"
          id={id}
          text={enable}
          label={enableOf(url)}
        />
      )}
      <ActionButton
        page={page}
        action="/account/webhooks/remove"
        id={id}
        text={remove}
        label={removeOf(url)}
        confirmation={{ hint: removeHint, text: remove }}
      />
    </>
  );
}

function stateOf({ disabledAt, failingSince }: Webhook): 'working' | 'failing' | 'disabled' {
  if (disabledAt !== null) return 'disabled';
  return failingSince === null ? 'working' : 'failing';
}
