import type { SessionEntry } from '../../../domain/index.ts';
import { Done, Form } from '../controls.tsx';
import { Entries } from '../list.tsx';
import type { Frame } from '../pageContext.ts';
import { When } from '../time.tsx';
import { Act, accountSection } from './sections.tsx';

type Sessions = { sessions: SessionEntry[]; currentId: string; done?: string | undefined };

export function sessionsPage(frame: Frame, { sessions, currentId, done }: Sessions): string {
  const { words } = frame;
  return accountSection(frame, {
    section: 'sessions',
    lead: words.sessions.lead,
    children: (
      <>
        <Done text={done} />
        <Entries
          none={words.sessions.unknown}
          entries={sessions.map(({ id, userAgent, ip, createdAt, seenAt }) => {
            const browser = userAgent === '' ? words.sessions.unknown : userAgent;
            const isThis = id === currentId;
            return {
              title: isThis ? `${browser} (${words.sessions.thisOne})` : browser,
              lines: [
                `${words.sessions.address}: ${ip}`,
                <>
                  {words.sessions.since}: <When words={words} at={createdAt} />
                </>,
                <>
                  {words.sessions.seen}: <When words={words} at={seenAt} />
                </>,
              ],
              ...(isThis
                ? {}
                : {
                    actions: (
                      <Act
                        frame={frame}
                        action="/account/sessions/revoke"
                        id={id}
                        text={words.sessions.revoke}
                        label={words.sessions.revokeOf(browser)}
                      />
                    ),
                  }),
            };
          })}
        />
        {sessions.length > 1 ? (
          <Form frame={frame} action="/account/sessions/revoke-others">
            <button type="submit" class="danger">
              {words.sessions.endOthers}
            </button>
          </Form>
        ) : null}
      </>
    ),
  });
}
