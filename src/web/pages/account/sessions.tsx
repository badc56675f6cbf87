import type { SessionSummary } from '../../../domain/index.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { SuccessMessage } from '../../components/alerts.tsx';
import { ApproximatePlaces } from '../../components/approximatePlaces.tsx';
import { ActionButton, Form, SubmitButton } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { TechnicalDetails } from '../../components/technicalDetails.tsx';
import { LabelledTime } from '../../components/time.tsx';
import { deviceLabel } from '../../deviceLabel.ts';
import type { PageContext } from '../../pageContext.ts';

type SessionsPage = { sessions: SessionSummary[]; currentId: string; success?: string | undefined };

/** The browsers that are signed in to the account. */
export function sessionsPage(page: PageContext, { sessions, currentId, success }: SessionsPage): string {
  const { messages } = page;
  return accountPage(page, {
    section: 'sessions',
    lead: messages.sessions.lead,
    children: (
      <>
        <SuccessMessage text={success} />
        <List
          emptyText={messages.sessions.none}
          items={sessions.map(({ id, userAgent, ip, place, createdAt, seenAt }) => {
            const browser = deviceLabel(messages, userAgent);
            const isCurrent = id === currentId;
            return {
              title: isCurrent ? `${browser} (${messages.sessions.current})` : browser,
              details: [
                `${messages.sessions.address}: ${messages.address(ip, place)}`,
                <LabelledTime messages={messages} label={messages.sessions.since} at={createdAt} />,
                <LabelledTime messages={messages} label={messages.sessions.lastSeen} at={seenAt} />,
                <TechnicalDetails summary={messages.sessions.technical} lines={[userAgent]} />,
              ],
              actions: isCurrent ? null : (
                <ActionButton
                  page={page}
                  action="/account/sessions/revoke"
                  id={id}
                  text={messages.sessions.revoke}
                  label={messages.sessions.revokeOf(browser)}
                />
              ),
            };
          })}
        />
        <ApproximatePlaces page={page} rows={sessions} />
        {sessions.length > 1 ? (
          <Form page={page} action="/account/sessions/revoke-others">
            <SubmitButton class="danger" text={messages.sessions.revokeOthers} />
          </Form>
        ) : null}
      </>
    ),
  });
}
