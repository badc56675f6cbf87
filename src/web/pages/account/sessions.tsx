import type { SessionSummary } from '../../../domain/index.ts';
import { deviceLabel } from '../../../locales/devices.ts';
import { ApproximatePlaces, TechnicalDetails } from '../../components/clients.tsx';
import { ActionButton, Form, SubmitButton } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { LabelledTime } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';

type SessionsProps = { page: PageContext; sessions: SessionSummary[]; currentId: string };

/** The browsers that are signed in to the account. */
export function OpenSessions({ page, sessions, currentId }: SessionsProps) {
  const texts = page.messages.sessions;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{texts.lead}</p>
      <List
        emptyText={texts.none}
        items={sessions.map((session) => {
          const browser = deviceLabel(page.messages, session.userAgent);
          const isCurrent = session.id === currentId;
          return {
            title: isCurrent ? `${browser} (${texts.current})` : browser,
            details: detailsOf(page, session),
            actions: isCurrent ? null : (
              <ActionButton
                page={page}
                action="/account/sessions/revoke"
                id={session.id}
                text={texts.revoke}
                label={texts.revokeOf(browser)}
              />
            ),
          };
        })}
      />
      <ApproximatePlaces page={page} rows={sessions} />
      {sessions.length > 1 ? (
        <Form page={page} action="/account/sessions/revoke-others">
          <SubmitButton class="danger" text={texts.revokeOthers} />
        </Form>
      ) : null}
    </section>
  );
}

function detailsOf({ messages }: PageContext, session: SessionSummary) {
  const { sessions: texts } = messages;
  const { way, wayName, ip, place, createdAt, seenAt, userAgent } = session;
  return [
    `${texts.address}: ${messages.address(ip, place)}`,
    way === null ? null : texts.ways[way](wayName ?? ''),
    <LabelledTime messages={messages} label={texts.since} at={createdAt} />,
    <LabelledTime messages={messages} label={texts.lastSeen} at={seenAt} />,
    <TechnicalDetails summary={texts.technical} lines={[userAgent]} />,
  ];
}
