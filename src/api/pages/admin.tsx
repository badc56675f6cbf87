import type { AccountEntry, Person } from '../../domain/index.ts';
import { Act } from './account/sections.tsx';
import { Done, Problem } from './controls.tsx';
import { Entries } from './entries.tsx';
import type { Frame } from './frame.ts';
import { renderPage } from './layout.tsx';
import { When } from './when.tsx';

type Admin = {
  accounts: AccountEntry[];
  person: Person;
  done?: string | undefined;
  problem?: string | undefined;
};

/** What an admin may do with each account. */
export const adminActs = ['subscribe', 'unsubscribe', 'disable', 'enable'] as const;

/** The accounts of this server; the installations of its chat bots have their place behind them. */
export function adminPage(frame: Frame, { accounts, person, done, problem }: Admin): string {
  const { words } = frame;
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
            title: account.email,
            lines: [
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
                label={words.admin.of(words.admin[act], account.email)}
                danger={act === 'disable'}
              />
            )),
          }))}
        />
      </div>
    ),
  });
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
