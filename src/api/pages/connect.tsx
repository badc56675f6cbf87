import { Form } from './controls.tsx';
import type { Frame } from './frame.ts';
import { renderPage } from './layout.tsx';

type Connect = { token: string; name: string; platform: 'slack' | 'discord' };

const platformNames = { slack: 'Slack', discord: 'Discord' } as const;

/** Asks whether this browser is to belong to somebody in a chat, or they to whoever is signed in. */
export function connectPage(frame: Frame, { token, name, platform }: Connect): string {
  const { connect } = frame.words;
  const { person } = frame;
  const who = connect.who(name, platformNames[platform]);
  return renderPage(frame, {
    title: connect.title,
    children: (
      <div class="sheet">
        <h1>{connect.title}</h1>
        <p>{person === null ? connect.signInLead(who) : connect.joinLead(who, person.email)}</p>
        <p class="note">{connect.onlyYours}</p>
        <Form frame={frame} action={`/connect/${token}`}>
          <button type="submit">{person === null ? connect.signIn : connect.join}</button>
        </Form>
      </div>
    ),
  });
}
