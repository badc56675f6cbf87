import type { ListedRequest } from '../../domain/index.ts';
import { ErrorMessage, SuccessMessage } from '../components/alerts.tsx';
import { cardPage } from '../components/cardPage.tsx';
import { ActionButton, ButtonLink } from '../components/form.tsx';
import { List } from '../components/list.tsx';
import { LabelledTime } from '../components/time.tsx';
import type { PageContext } from '../pageContext.ts';
import { NoChats } from './account/chats.tsx';
import { chatUserLabel } from './chatLabels.ts';
import { PushSections } from './pushSections.tsx';
import { type NewRequest, RequestForm } from './requestForm.tsx';

type RequestsPage = {
  received: ListedRequest[];
  sent: ListedRequest[];
  /** The form that asks for a secret; null if the account is linked to no chat, because requests are sent only there. */
  request: NewRequest | null;
  success?: string | undefined;
  problem?: string | undefined;
};

/** The requests that an account received and sent in its chats. */
export function requestsPage(page: PageContext, requests: RequestsPage): string {
  const { messages } = page;
  const { title, lead, explanation, toChats } = messages.requests;
  return cardPage(page, {
    title,
    current: 'pushes',
    isWide: true,
    children: (
      <>
        <PushSections page={page} current="requests" />
        <SuccessMessage text={requests.success} />
        <ErrorMessage text={requests.problem} />
        {requests.request ? (
          <>
            <p class="muted">{lead}</p>
            <ReceivedRequests page={page} requests={requests.received} />
            <SentRequests page={page} requests={requests.sent} />
            <RequestForm page={page} request={requests.request} />
          </>
        ) : page.chats.length === 0 ? (
          <NoChats page={page} />
        ) : (
          <>
            <p>{explanation}</p>
            <p>
              <ButtonLink href={page.path('/account/chats')} text={toChats} />
            </p>
          </>
        )}
      </>
    ),
  });
}

type RequestListProps = { page: PageContext; requests: ListedRequest[] };

function ReceivedRequests({ page, requests }: RequestListProps) {
  const { messages } = page;
  const { received, noneReceived, provide, provideTo, decline, declineTo } = messages.requests;
  return (
    <section>
      <h2>{received}</h2>
      <List
        emptyText={noneReceived}
        items={requests.map((request) => {
          const label = chatUserLabel(messages, request.requester, request.otherName);
          const { id } = request;
          return {
            title: <bdi>{label}</bdi>,
            details: detailsOf(page, request),
            actions: (
              <>
                <ActionButton
                  page={page}
                  action="/requests/provide"
                  id={id}
                  text={provide}
                  label={provideTo(label)}
                />
                <ActionButton
                  page={page}
                  action="/requests/decline"
                  id={id}
                  text={decline}
                  label={declineTo(label)}
                  danger
                />
              </>
            ),
          };
        })}
      />
    </section>
  );
}

function SentRequests({ page, requests }: RequestListProps) {
  const { messages } = page;
  const { sent, noneSent, states, cancel, cancelTo } = messages.requests;
  return (
    <section>
      <h2>{sent}</h2>
      <List
        emptyText={noneSent}
        items={requests.map((request) => {
          const label = chatUserLabel(messages, request.provider, request.otherName);
          return {
            title: <bdi>{label}</bdi>,
            details: [states[request.state], ...detailsOf(page, request)],
            actions: request.state === 'open' && (
              <ActionButton
                page={page}
                action="/requests/cancel"
                id={request.id}
                text={cancel}
                label={cancelTo(label)}
                danger
              />
            ),
          };
        })}
      />
    </section>
  );
}

function detailsOf(
  { messages }: PageContext,
  { reason, isUnreadable, state, createdAt, expiresAt }: ListedRequest,
) {
  const { noReason, unreadable, created, until } = messages.requests;
  return [
    reason === null ? isUnreadable ? unreadable : noReason : <span class="preserve-lines">{reason}</span>,
    <LabelledTime messages={messages} label={created} at={createdAt} />,
    state === 'open' ? <LabelledTime messages={messages} label={until} at={expiresAt} /> : null,
  ];
}
