import { type AccountEntry, accountNameOf, type InstallationEntry, type Person } from '../../domain/index.ts';
import { Act } from './account/sections.tsx';
import { accountCalled } from './chats.ts';
import { Done, Form, Problem } from './controls.tsx';
import { renderPage } from './layout.tsx';
import { Entries } from './list.tsx';
import type { Frame } from './pageContext.ts';
import { When } from './time.tsx';

type Admin = {
  accounts: AccountEntry[];
  installations: InstallationEntry[];
  /** How chats call people, by the names of the accounts that would be made for them. */
  names: Map<string, string>;
  person: Person;
  done?: string | undefined;
  problem?: string | undefined;
};

/** What an admin may do with each account. */
export const adminActs = ['subscribe', 'unsubscribe', 'disable', 'enable'] as const;

/** The accounts of this server, and where its chat apps are installed. */
export function adminPage(frame: Frame, admin: Admin): string {
  const { words } = frame;
  const { accounts, person, names, done, problem } = admin;
  const called = ({ email }: AccountEntry) => accountCalled(words, email, names.get(email));
  return renderPage(frame, {
    title: words.admin.title,
    here: 'admin',
    children: (
      <div class="sheet">
        <h1>{words.admin.title}</h1>
        <p class="soft">{words.admin.lead}</p>
        <Done text={done} />
        <Problem text={problem} />
        <Entries
          none={words.admin.none}
          entries={accounts.map((account) => ({
            title: <bdi>{called(account)}</bdi>,
            lines: [
              ...(called(account) === account.email ? [] : [account.email]),
              [
                account.isAdmin ? words.admin.isAdmin : '',
                account.subscribed ? words.admin.subscribed : '',
                account.disabledAt === null ? '' : words.admin.disabled,
              ]
                .filter((state) => state !== '')
                .join(' · '),
              <>
                {words.admin.since}: <When words={words} at={account.createdAt} />
              </>,
            ],
            actions: actsFor(account, person).map((act) => (
              <Act
                frame={frame}
                action={`/admin/${act}`}
                id={account.email}
                text={words.admin[act]}
                label={words.admin.of(words.admin[act], called(account))}
                danger={act === 'disable'}
              />
            )),
          }))}
        />
        {admin.installations.length === 0 ? null : <Installations frame={frame} admin={admin} />}
      </div>
    ),
  });
}

function Installations({ frame, admin: { installations, names } }: { frame: Frame; admin: Admin }) {
  const { words } = frame;
  const { installations: title, installedSince, installedBy } = words.admin;
  const installer = ({ platform, workspace, person }: InstallationEntry) =>
    names.get(accountNameOf({ platform, address: `${workspace}:${person}` })) ?? person;
  return (
    <section>
      <h2>{title}</h2>
      <Entries
        none=""
        entries={installations.map((entry) => ({
          title: <bdi>{entry.label ?? entry.workspace}</bdi>,
          lines: [
            ...(entry.label === null ? [] : [entry.workspace]),
            <>
              {installedSince}: <When words={words} at={entry.since} />
            </>,
            ...(entry.person === '' ? [] : [`${installedBy}: ${installer(entry)}`]),
          ],
          actions: <Remove frame={frame} entry={entry} />,
        }))}
      />
    </section>
  );
}

/** What comes of it is said before it is done. */
function Remove({ frame, entry }: { frame: Frame; entry: InstallationEntry }) {
  const { remove, removeOf, removeHow, removeNow } = frame.words.admin;
  const { workspace, label } = entry;
  return (
    <details>
      <summary aria-label={removeOf(label ?? workspace)}>{remove}</summary>
      <p class="hint" id={`remove-${workspace}`}>
        {removeHow}
      </p>
      <Form frame={frame} action="/admin/installations/remove">
        <input type="hidden" name="id" value={workspace} />
        <button type="submit" class="danger" aria-describedby={`remove-${workspace}`}>
          {removeNow}
        </button>
      </Form>
    </details>
  );
}

function actsFor({ email, subscribed, disabledAt }: AccountEntry, person: Person) {
  const isOwn = email === person.email;
  return adminActs.filter(
    (act) =>
      ({
        subscribe: !subscribed,
        unsubscribe: subscribed,
        disable: disabledAt === null && !isOwn,
        enable: disabledAt !== null,
      })[act],
  );
}
