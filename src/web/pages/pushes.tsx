import {
  type AuditRow,
  isExpired,
  type Push,
  type PushSettings,
  type PushState,
} from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';
import { ErrorMessage, Form, Select, SuccessMessage } from '../components/fields.tsx';
import { FileList } from '../components/fileList.tsx';
import { renderPage } from '../components/layout.tsx';
import { List } from '../components/list.tsx';
import { Time } from '../components/time.tsx';
import { lifetimes } from './lifetimes.ts';
import type { PageContext } from './pageContext.ts';

type PushListPage = {
  pushes: Push[];
  state: PushState;
  search: string;
  pageNumber: number;
  hasOlder: boolean;
};

/** An account's pushes: those of one state, with a search and pages. */
export function pushesPage(page: PageContext, list: PushListPage): string {
  const { messages, path } = page;
  const { title, none, nameless, open } = messages.pushes;
  const { pushes, state } = list;
  return renderPage(page, {
    title,
    current: 'pushes',
    children: (
      <div class="sheet">
        <h1>{title}</h1>
        <PushSections page={page} current={state} />
        <Search page={page} list={list} />
        <List
          emptyText={none[state]}
          items={pushes.map((push) => ({
            title: (
              <a href={path(`/pushes/${push.urlToken}`)} aria-label={open(push.name ?? nameless)}>
                {push.name ?? nameless}
              </a>
            ),
            details: [
              <>
                {messages.newPush.kinds[push.kind]} · <PushStatus messages={messages} push={push} />
              </>,
              ...push.files.map(({ filename, size }) => (
                <>
                  <bdi>{filename}</bdi> · {messages.size(size)}
                </>
              )),
              <>
                {messages.pushes.created}: <Time messages={messages} at={push.createdAt} />
              </>,
            ],
          }))}
        />
        <Pagination page={page} list={list} />
      </div>
    ),
  });
}

/** The ways between an account's pushes and its requests. */
export function PushSections({
  page: { messages, path },
  current,
}: {
  page: PageContext;
  current: PushState | 'requests';
}) {
  const { states, stateNav, requests } = messages.pushes;
  const sections = [
    ['active', '/pushes', states.active],
    ['expired', '/pushes?state=expired', states.expired],
    ['requests', '/requests', requests],
  ] as const;
  return (
    <nav class="nav sections" aria-label={stateNav}>
      {sections.map(([name, to, text]) => (
        <a href={path(to)} {...(name === current ? { 'aria-current': 'page' as const } : {})}>
          {text}
        </a>
      ))}
    </nav>
  );
}

function Search({
  page: { messages, path },
  list: { state, search },
}: {
  page: PageContext;
  list: PushListPage;
}) {
  return (
    <form class="field" action={path('/pushes')}>
      {state === 'active' ? null : <input type="hidden" name="state" value={state} />}
      <label for="search">{messages.pushes.search}</label>
      <div class="row search">
        <input id="search" name="search" type="search" value={search} />
        <button type="submit" class="plain">
          {messages.pushes.searchSubmit}
        </button>
      </div>
    </form>
  );
}

function Pagination({
  page: { messages, path },
  list: { state, search, pageNumber, hasOlder },
}: {
  page: PageContext;
  list: PushListPage;
}) {
  const to = (other: number) => {
    const query = new URLSearchParams({
      ...(state === 'active' ? {} : { state }),
      ...(search === '' ? {} : { search }),
      ...(other === 1 ? {} : { page: String(other) }),
    });
    return path(`/pushes?${query}`);
  };
  if (pageNumber === 1 && !hasOlder) return null;
  return (
    <nav class="nav" aria-label={messages.pushes.paging}>
      {pageNumber === 1 ? null : <a href={to(pageNumber - 1)}>{messages.pushes.newer}</a>}
      {hasOlder ? <a href={to(pageNumber + 1)}>{messages.pushes.older}</a> : null}
    </nav>
  );
}

/** How often a push was opened, and when it ends or by what it ended. */
function PushStatus({ messages, push }: { messages: Messages; push: Push }) {
  const { pushes } = messages;
  const opened = pushes.views(push.viewsUsed, push.viewsMax);
  if (!isExpired(push)) return `${opened} · ${pushes.ends(push.expiresAt - push.now)}`;
  const endReason = push.deleted ? 'deleted' : push.viewsUsed >= push.viewsMax ? 'views' : 'time';
  return (
    <>
      {opened} · {pushes.ended} <Time messages={messages} at={push.expiredOn ?? push.expiresAt} />,{' '}
      {pushes.endReasons[endReason]}
    </>
  );
}

type PushPage = {
  push: Push;
  link: string;
  log: AuditRow[];
  pageNumber: number;
  settings: PushSettings;
  success?: string | undefined;
  problem?: string | undefined;
};

/** One push as its owner sees it: what it is, what happened to it, and what can be done with it. */
export function pushPage(page: PageContext, details: PushPage): string {
  const { messages, path } = page;
  const { push, link, success, problem } = details;
  const title = push.name ?? messages.pushes.nameless;
  return renderPage(page, {
    title,
    current: 'pushes',
    scripts: ['copy.js'],
    children: (
      <div class="sheet">
        <p>
          <a href={path('/pushes')}>← {messages.pushes.title}</a>
        </p>
        <h1>{title}</h1>
        <SuccessMessage text={success} />
        <ErrorMessage text={problem} />
        <p class="soft">
          {messages.newPush.kinds[push.kind]} · <PushStatus messages={messages} push={push} />
        </p>
        {push.hasPassphrase && !isExpired(push) ? <p>{messages.pushes.passphrase}</p> : null}
        {push.retrievalStep ? null : <p>{messages.pushes.noStep}</p>}
        {push.note === null ? null : (
          <p class="verbatim">
            <strong>{messages.pushes.note}:</strong> {push.note}
          </p>
        )}
        {isExpired(push) ? null : <Link page={page} link={link} />}
        {push.files.length === 0 ? null : (
          <section>
            <h2>{messages.secret.files}</h2>
            <FileList page={page} files={push.files} />
          </section>
        )}
        <Timeline page={page} details={details} />
        {isExpired(push) ? null : <PushActions page={page} details={details} />}
      </div>
    ),
  });
}

function Link({ page: { messages }, link }: { page: PageContext; link: string }) {
  return (
    <>
      <div class="field">
        <label for="link">{messages.pushes.link}</label>
        <input id="link" type="text" dir="ltr" readOnly value={link} />
      </div>
      <div class="row field js-only">
        <button
          type="button"
          class="plain"
          data-copies="link"
          data-done={messages.secret.copied}
          data-failed={messages.secret.copyFailed}
        >
          {messages.pushCreated.copyLink}
        </button>
        <span id="said" class="soft small" role="status" />
      </div>
    </>
  );
}

function Timeline({
  page: { messages, path },
  details: { push, log, pageNumber },
}: {
  page: PageContext;
  details: PushPage;
}) {
  const to = (other: number) => path(`/pushes/${push.urlToken}?page=${other}`);
  return (
    <section>
      <h2>{messages.pushes.timeline}</h2>
      <ol class="timeline">
        {log.map(({ kind, createdAt, ip, userAgent, referrer }) => (
          <li class={kind}>
            <p class="title">{messages.pushes.auditKinds[kind]}</p>
            <p class="hint">
              <Time messages={messages} at={createdAt} />
            </p>
            <p class="hint">{[ip, userAgent, referrer].filter((part) => part !== '').join(' · ')}</p>
          </li>
        ))}
      </ol>
      {pageNumber === 1 && log.length < 50 ? null : (
        <nav class="nav" aria-label={messages.pushes.paging}>
          {pageNumber === 1 ? null : <a href={to(pageNumber - 1)}>{messages.pushes.older}</a>}
          {log.length < 50 ? null : <a href={to(pageNumber + 1)}>{messages.pushes.newer}</a>}
        </nav>
      )}
    </section>
  );
}

function PushActions({ page, details: { push, settings } }: { page: PageContext; details: PushPage }) {
  const { messages } = page;
  return (
    <>
      <section>
        <h2>{messages.pushes.extend}</h2>
        <Form page={page} action={`/pushes/${push.urlToken}/extend`}>
          <Select
            name="lifetime"
            label={messages.pushes.extendFrom}
            value={`${settings.defaults.expireAfterDays}d`}
            options={lifetimes(settings).map(({ value, amount, unit }) => ({
              value,
              text: messages.amount(amount, unit),
            }))}
          />
          <button type="submit" class="plain">
            {messages.pushes.extendSubmit}
          </button>
        </Form>
      </section>
      <section>
        <h2>{messages.pushes.expire}</h2>
        <p id="expire">{messages.pushes.expireHint}</p>
        <Form page={page} action={`/pushes/${push.urlToken}/expire`}>
          <button type="submit" class="danger" aria-describedby="expire">
            {messages.pushes.expire}
          </button>
        </Form>
      </section>
    </>
  );
}
