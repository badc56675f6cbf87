import type { Joining, Speaker } from '../../domain/index.ts';
import { pathWith } from './account/signIn.tsx';
import { personIn } from './chats.ts';
import { Form } from './controls.tsx';
import { renderPage } from './layout.tsx';
import type { Frame } from './pageContext.ts';

type Connect = {
  token: string;
  name: string;
  speaker: Speaker;
  /** What connecting means for who is signed in, and what accounts are called; absent where nobody is. */
  joining?: { what: Joining; to: string; from: string } | undefined;
  allowsSignUp: boolean;
};

/** Asks whether this browser is to belong to somebody in a chat, or they to whoever is signed in, and says what that means. */
export function connectPage(frame: Frame, connect: Connect): string {
  const { words } = frame;
  const who = personIn(words, connect.speaker, connect.name);
  return renderPage(frame, {
    title: words.connect.title,
    children: (
      <div class="sheet">
        <h1>{words.connect.title}</h1>
        {connect.joining === undefined ? (
          <SignIn frame={frame} connect={connect} who={who} />
        ) : (
          <Join frame={frame} token={connect.token} joining={connect.joining} who={who} />
        )}
      </div>
    ),
  });
}

function SignIn({ frame, connect, who }: { frame: Frame; connect: Connect; who: string }) {
  const { words } = frame;
  const next = `/connect/${connect.token}`;
  return (
    <>
      <p>{words.connect.signInLead(who)}</p>
      <p class="note">{words.connect.onlyYours}</p>
      <Form frame={frame} action={next}>
        <button type="submit">{words.connect.signIn(who)}</button>
      </Form>
      <section>
        <h2>{words.connect.otherTitle}</h2>
        <p>{words.connect.otherLead(who)}</p>
        <p class="row">
          <a class="button plain" href={pathWith(frame, '/sign-in', next)}>
            {words.connect.toSignIn}
          </a>
          {connect.allowsSignUp ? (
            <a class="button plain" href={pathWith(frame, '/sign-up', next)}>
              {words.connect.toSignUp}
            </a>
          ) : null}
        </p>
      </section>
    </>
  );
}

type JoinProps = { frame: Frame; token: string; joining: NonNullable<Connect['joining']>; who: string };

function Join({ frame, token, joining: { what, to, from }, who }: JoinProps) {
  const { connect } = frame.words;
  if (what.means === 'nothing')
    return (
      <>
        <p>{connect.already(who, to)}</p>
        <p>
          <a href={frame.path('/account/chats')}>{connect.toChats}</a>
        </p>
      </>
    );
  return (
    <>
      <p>{connect.joinLead(who, to)}</p>
      {what.means === 'move' ? (
        <p>{connect.leaves(who, from)}</p>
      ) : (
        <p>
          {connect.pushesCome(what.pushes)} {what.tokens === 0 ? null : connect.tokensEnd(what.tokens)}
        </p>
      )}
      <p class="note">{connect.onlyYours}</p>
      <Form frame={frame} action={`/connect/${token}`}>
        <button type="submit">{connect.join}</button>
      </Form>
    </>
  );
}
