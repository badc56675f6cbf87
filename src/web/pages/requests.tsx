import type { ListedRequest, RequestLink } from '../../domain/index.ts';
import { cardPage, ErrorMessage, SuccessMessage } from '../components/cardPage.tsx';
import { ActionButton, ButtonLink } from '../components/form.tsx';
import { List } from '../components/list.tsx';
import { PushSections } from '../components/navigation.tsx';
import { LabelledTime } from '../components/time.tsx';
import type { PageContext } from '../pageContext.ts';
import { NoChats } from './account/chats.tsx';
import { chatUserLabel } from './chatLabels.ts';
import { type NewRequest, RequestForm } from './requestForm.tsx';
import { linkDetails } from './requestLink.tsx';

type RequestsPage = {
  received: ListedRequest[];
  sent: ListedRequest[];
  /** Those for people without an account. */
  links: RequestLink[];
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
        <RequestLinks page={page} links={requests.links} />
      </>
    ),
  });
}

/** The request links of an account. */
function RequestLinks({ page, links }: { page: PageContext; links: RequestLink[] }) {
  const { title, lead, none, create, show, showTitle, unreadable } = page.messages.requestLinks;
  const items = links.map((link) => ({
    title: <bdi>{link.title ?? unreadable}</bdi>,
    details: linkDetails(page, link),
    actions: (
      <ButtonLink
        class="secondary"
        href={page.path(`/requests/links/${link.id}`)}
        text={show}
        aria-label={showTitle(link.title ?? '')}
      />
    ),
  }));
  return (
    <section>
      <h2>{title}</h2>
      <p class="muted">{lead}</p>
      <List emptyText={none} items={items} />
      <p>
        <ButtonLink href={page.path('/requests/links/new')} text={create} />
      </p>
    </section>
  );
}

type RequestListProps = { page: PageContext; requests: ListedRequest[] };

function ReceivedRequests({ page, requests }: RequestListProps) {
  const { received, noneReceived, provide, provideTo, decline, declineTo } = page.messages.requests;
  const items = requests.map((request) => {
    const { id, requester, otherName } = request;
    const label = chatUserLabel(page.messages, requester, otherName);
    const action = (name: string) => ({ page, id, action: `/requests/${name}` });
    return {
      title: <bdi>{label}</bdi>,
      details: detailsOf(page, request),
      actions: (
        <>
          <ActionButton {...action('provide')} text={provide} label={provideTo(label)} />
          <ActionButton {...action('decline')} text={decline} label={declineTo(label)} danger />
        </>
      ),
    };
  });
  return (
    <section>
      <h2>{received}</h2>
      <List emptyText={noneReceived} items={items} />
    </section>
  );
}

function SentRequests({ page, requests }: RequestListProps) {
  const { sent, noneSent, states, cancel, cancelTo } = page.messages.requests;
  const items = requests.map((request) => {
    const { id, provider, otherName, state } = request;
    const label = chatUserLabel(page.messages, provider, otherName);
    const action = { page, id, action: '/requests/cancel', text: cancel, label: cancelTo(label) };
    return {
      title: <bdi>{label}</bdi>,
      details: [states[state], ...detailsOf(page, request)],
      actions: state === 'open' && <ActionButton {...action} danger />,
    };
  });
  return (
    <section>
      <h2>{sent}</h2>
      <List emptyText={noneSent} items={items} />
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
