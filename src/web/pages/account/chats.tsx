import { accountNameOf, type IdentityEntry, workspaceIn } from '../../../domain/index.ts';
import { chats, personIn } from '../chats.ts';
import { Done } from '../controls.tsx';
import { Entries } from '../list.tsx';
import type { Frame } from '../pageContext.ts';
import { When } from '../time.tsx';
import { Act, accountSection } from './sections.tsx';

/** An identity, and how people call its workspace. */
type Connected = IdentityEntry & { workspaceLabel: string | null };

type Chats = { connected: Connected[]; done?: string | undefined };

export function chatsPage(frame: Frame, { connected, done }: Chats): string {
  const { words } = frame;
  return accountSection(frame, {
    section: 'chats',
    lead: words.chats.lead,
    children: (
      <>
        <Done text={done} />
        <Entries
          none={words.chats.none}
          entries={connected.map((entry) => ({
            title: <bdi>{entry.name ?? entry.address}</bdi>,
            lines: linesOf(frame, entry),
            ...(entry.isMadeFor ? {} : { actions: <Disconnect frame={frame} entry={entry} /> }),
          }))}
        />
        <section>
          <h2>{words.chats.howTitle}</h2>
          <p>
            {words.chats.how} <code>{chats.slack.connect}</code> {words.chats.howOr}{' '}
            <code>{chats.discord.connect}</code> {words.chats.howThen}
          </p>
        </section>
      </>
    ),
  });
}

function linesOf({ words }: Frame, entry: Connected) {
  const { unreached, unreachedHow, madeFor, since } = words.chats;
  const chat = chats[entry.platform].name;
  const workspace = entry.workspaceLabel ?? workspaceIn(entry);
  return [
    workspace === '' ? chat : words.chats.in(chat, workspace),
    <>
      {since}: <When words={words} at={entry.connectedAt} />
    </>,
    ...(entry.unreachableSince === null
      ? []
      : [
          <>
            {unreached} <When words={words} at={entry.unreachableSince} />. {unreachedHow}
          </>,
        ]),
    ...(entry.isMadeFor ? [madeFor] : []),
  ];
}

function Disconnect({ frame, entry }: { frame: Frame; entry: Connected }) {
  const { disconnect, disconnectOf } = frame.words.chats;
  return (
    <Act
      frame={frame}
      action="/account/chats/disconnect"
      id={accountNameOf(entry)}
      text={disconnect}
      label={disconnectOf(personIn(frame.words, entry, entry.name))}
      danger
    />
  );
}
