import { accountNameOf, addressWorkspace, type IdentitySummary } from '../../../domain/index.ts';
import { connectCommandOf, platformNames, platforms } from '../../../platforms.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { Checkbox } from '../../components/choices.tsx';
import { ConfirmedAction, Form, SubmitButton } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { ProviderButtons } from '../../components/providerButtons.tsx';
import { LabelledTime, Time } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';
import { chatUserLabel } from '../chatLabels.ts';

/** An identity with the name of its workspace. */
type ConnectedChat = IdentitySummary & { workspaceLabel: string | null };

type ChatsPage = {
  connected: ConnectedChat[];
  /** The identity providers that say whom somebody is in a chat. */
  providers: { name: string; label: string }[];
  success?: string | undefined;
};

/** The chats that are linked to the account. */
export function chatsPage(page: PageContext, { connected, providers, success }: ChatsPage): string {
  const { messages } = page;
  return accountPage(page, {
    section: 'chats',
    lead: messages.chats.lead,
    success,
    children: (
      <>
        <List
          emptyText={messages.chats.none}
          items={connected.map((entry) => ({
            title: <bdi>{entry.name ?? entry.address}</bdi>,
            details: detailsOf(page, entry),
            actions: entry.isPrimary ? null : <Disconnect page={page} entry={entry} />,
          }))}
        />
        {page.chats.length === 0 ? (
          <NoChats page={page} />
        ) : (
          <HowToConnect page={page} providers={providers} />
        )}
      </>
    ),
  });
}

/** Says why there is nothing to connect; admins, what to do about it. */
export function NoChats({ page: { messages, signedIn } }: { page: PageContext }) {
  const settings = messages.list(platformNames.map((name) => `${name.toUpperCase()}_`));
  return (
    <p>
      {messages.chats.off} {signedIn?.isAdmin && messages.chats.offFor(settings)}
    </p>
  );
}

function HowToConnect({ page, providers }: { page: PageContext } & Pick<ChatsPage, 'providers'>) {
  const { messages, chats } = page;
  const { connectTitle, connectIntro, connectIn, connectOr, connectThen } = messages.chats;
  return (
    <section>
      <h2>{connectTitle}</h2>
      <p>
        {connectIntro}{' '}
        {chats.map((chat, at) => (
          <>
            {at === 0 ? '' : ` ${connectOr} `}
            <code>{connectCommandOf(chat)}</code> {connectIn(platforms[chat].name)}
          </>
        ))}
        {connectThen}
      </p>
      {providers.length > 0 && (
        <ProviderButtons page={page} providers={providers} query={{ connect: 'yes' }} />
      )}
    </section>
  );
}

function detailsOf({ messages }: PageContext, entry: ConnectedChat) {
  const { unreached, unreachedHint, createdFor, since } = messages.chats;
  const chat = platforms[entry.platform].name;
  const workspace = entry.workspaceLabel ?? addressWorkspace(entry);
  return [
    workspace === '' ? chat : messages.chats.in(chat, workspace),
    <LabelledTime messages={messages} label={since} at={entry.connectedAt} />,
    entry.unreachableSince && (
      <>
        {unreached} <Time messages={messages} at={entry.unreachableSince} />. {unreachedHint}
      </>
    ),
    entry.isPrimary && createdFor,
  ];
}

function Disconnect({ page, entry }: { page: PageContext; entry: ConnectedChat }) {
  const { disconnect, disconnectOf, disconnectHint, endAccess } = page.messages.chats;
  const label = disconnectOf(chatUserLabel(page.messages, entry, entry.name));
  return (
    <ConfirmedAction text={disconnect} label={`${label} …`} hint={disconnectHint}>
      <Form page={page} action="/account/chats/disconnect" fields={{ id: accountNameOf(entry) }}>
        <Checkbox name="endAccess" label={endAccess} checked={false} />
        <SubmitButton class="danger solid" aria-label={label} text={disconnect} />
      </Form>
    </ConfirmedAction>
  );
}
