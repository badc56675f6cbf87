import type { SeenRequest } from '../../domain/index.ts';
import { Act } from './account/sections.tsx';
import { personIn } from './chats.ts';
import { Done, Problem } from './controls.tsx';
import { renderPage } from './layout.tsx';
import { Entries } from './list.tsx';
import type { Frame } from './pageContext.ts';
import { PushSections } from './pushes.tsx';
import { When } from './time.tsx';

type Requests = {
  asked: SeenRequest[];
  asking: SeenRequest[];
  /** Whether the account is anybody in a chat: only there people ask. */
  isInChat: boolean;
  done?: string | undefined;
  problem?: string | undefined;
};

/** What is asked of an account in its chats, and what it asked for. */
export function requestsPage(frame: Frame, requests: Requests): string {
  const { words } = frame;
  const { title, lead, how, toChats } = words.requests;
  return renderPage(frame, {
    title,
    here: 'pushes',
    children: (
      <div class="sheet">
        <h1>{title}</h1>
        <PushSections frame={frame} here="requests" />
        <Done text={requests.done} />
        <Problem text={requests.problem} />
        {requests.isInChat ? (
          <>
            <p class="soft">{lead}</p>
            <Asked frame={frame} requests={requests.asked} />
            <Asking frame={frame} requests={requests.asking} />
          </>
        ) : (
          <>
            <p>{how}</p>
            <p>
              <a class="button" href={frame.path('/account/chats')}>
                {toChats}
              </a>
            </p>
          </>
        )}
      </div>
    ),
  });
}

type Listed = { frame: Frame; requests: SeenRequest[] };

function Asked({ frame, requests }: Listed) {
  const { words } = frame;
  const { asked, noneAsked, provide, provideTo, decline, declineTo } = words.requests;
  return (
    <section>
      <h2>{asked}</h2>
      <Entries
        none={noneAsked}
        entries={requests.map((request) => {
          const who = personIn(words, request.requester, request.otherName);
          const { id } = request;
          return {
            title: <bdi>{who}</bdi>,
            lines: linesOf(frame, request),
            actions: (
              <>
                <Act frame={frame} action="/requests/provide" id={id} text={provide} label={provideTo(who)} />
                <Act
                  frame={frame}
                  action="/requests/decline"
                  id={id}
                  text={decline}
                  label={declineTo(who)}
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

function Asking({ frame, requests }: Listed) {
  const { words } = frame;
  const { asking, noneAsking, states, cancel, cancelTo } = words.requests;
  return (
    <section>
      <h2>{asking}</h2>
      <Entries
        none={noneAsking}
        entries={requests.map((request) => {
          const who = personIn(words, request.provider, request.otherName);
          return {
            title: <bdi>{who}</bdi>,
            lines: [states[request.state], ...linesOf(frame, request)],
            ...(request.state === 'open' && {
              actions: (
                <Act
                  frame={frame}
                  action="/requests/cancel"
                  id={request.id}
                  text={cancel}
                  label={cancelTo(who)}
                  danger
                />
              ),
            }),
          };
        })}
      />
    </section>
  );
}

function linesOf({ words }: Frame, { reason, state, createdAt, expiresAt }: SeenRequest) {
  const { noReason, made, until } = words.requests;
  return [
    reason === null ? noReason : <span class="verbatim">{reason}</span>,
    <>
      {made}: <When words={words} at={createdAt} />
    </>,
    ...(state === 'open'
      ? [
          <>
            {until}: <When words={words} at={expiresAt} />
          </>,
        ]
      : []),
  ];
}
