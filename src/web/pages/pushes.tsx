import {
  type AuditRow,
  isExpired,
  type NewPushTerms,
  type Push,
  type PushState,
} from '../../domain/index.ts';
import type { Words } from '../locales/locales.ts';
import { Done, Form, Problem, Select } from './controls.tsx';
import { FileList } from './fileList.tsx';
import { renderPage } from './layout.tsx';
import { lifetimes } from './lifetimes.ts';
import { Entries } from './list.tsx';
import type { Frame } from './pageContext.ts';
import { When } from './time.tsx';

type List = { pushes: Push[]; state: PushState; search: string; page: number; hasOlder: boolean };

/** An account's pushes: those of one state, with a search and pages. */
export function pushesPage(frame: Frame, list: List): string {
  const { words, path } = frame;
  const { title, none, nameless, open } = words.pushes;
  const { pushes, state } = list;
  return renderPage(frame, {
    title,
    here: 'pushes',
    children: (
      <div class="sheet">
        <h1>{title}</h1>
        <PushSections frame={frame} here={state} />
        <Search frame={frame} list={list} />
        <Entries
          none={none[state]}
          entries={pushes.map((push) => ({
            title: (
              <a href={path(`/pushes/${push.urlToken}`)} aria-label={open(push.name ?? nameless)}>
                {push.name ?? nameless}
              </a>
            ),
            lines: [
              <>
                {words.make.kinds[push.kind]} · <Fate words={words} push={push} />
              </>,
              ...push.files.map(({ filename, size }) => (
                <>
                  <bdi>{filename}</bdi> · {words.size(size)}
                </>
              )),
              <>
                {words.pushes.made}: <When words={words} at={push.createdAt} />
              </>,
            ],
          }))}
        />
        <Paging frame={frame} list={list} />
      </div>
    ),
  });
}

/** The ways between an account's pushes and its requests. */
export function PushSections({
  frame: { words, path },
  here,
}: {
  frame: Frame;
  here: PushState | 'requests';
}) {
  const { states, stateNav, requests } = words.pushes;
  const sections = [
    ['active', '/pushes', states.active],
    ['expired', '/pushes?state=expired', states.expired],
    ['requests', '/requests', requests],
  ] as const;
  return (
    <nav class="nav sections" aria-label={stateNav}>
      {sections.map(([name, to, text]) => (
        <a href={path(to)} {...(name === here ? { 'aria-current': 'page' as const } : {})}>
          {text}
        </a>
      ))}
    </nav>
  );
}

function Search({ frame: { words, path }, list: { state, search } }: { frame: Frame; list: List }) {
  return (
    <form class="field" action={path('/pushes')}>
      {state === 'active' ? null : <input type="hidden" name="state" value={state} />}
      <label for="search">{words.pushes.search}</label>
      <div class="row search">
        <input id="search" name="search" type="search" value={search} />
        <button type="submit" class="plain">
          {words.pushes.find}
        </button>
      </div>
    </form>
  );
}

function Paging({
  frame: { words, path },
  list: { state, search, page, hasOlder },
}: {
  frame: Frame;
  list: List;
}) {
  const to = (other: number) => {
    const query = new URLSearchParams({
      ...(state === 'active' ? {} : { state }),
      ...(search === '' ? {} : { search }),
      ...(other === 1 ? {} : { page: String(other) }),
    });
    return path(`/pushes?${query}`);
  };
  if (page === 1 && !hasOlder) return null;
  return (
    <nav class="nav" aria-label={words.pushes.paging}>
      {page === 1 ? null : <a href={to(page - 1)}>{words.pushes.newer}</a>}
      {hasOlder ? <a href={to(page + 1)}>{words.pushes.older}</a> : null}
    </nav>
  );
}

/** How often a push was opened, and when it ends or by what it ended. */
function Fate({ words, push }: { words: Words; push: Push }) {
  const { pushes } = words;
  const opened = pushes.views(push.viewsUsed, push.viewsMax);
  if (!isExpired(push)) return `${opened} · ${pushes.ends(push.expiresAt - push.now)}`;
  const way = push.deleted ? 'deleted' : push.viewsUsed >= push.viewsMax ? 'views' : 'time';
  return (
    <>
      {opened} · {pushes.ended} <When words={words} at={push.expiredOn ?? push.expiresAt} />,{' '}
      {pushes.ways[way]}
    </>
  );
}

type One = {
  push: Push;
  link: string;
  log: AuditRow[];
  page: number;
  terms: NewPushTerms;
  done?: string | undefined;
  problem?: string | undefined;
};

/** One push as its owner sees it: what it is, what happened to it, and what can be done with it. */
export function pushPage(frame: Frame, one: One): string {
  const { words, path } = frame;
  const { push, link, done, problem } = one;
  const title = push.name ?? words.pushes.nameless;
  return renderPage(frame, {
    title,
    here: 'pushes',
    scripts: ['copy.js'],
    children: (
      <div class="sheet">
        <p>
          <a href={path('/pushes')}>← {words.pushes.title}</a>
        </p>
        <h1>{title}</h1>
        <Done text={done} />
        <Problem text={problem} />
        <p class="soft">
          {words.make.kinds[push.kind]} · <Fate words={words} push={push} />
        </p>
        {push.hasPassphrase && !isExpired(push) ? <p>{words.pushes.passphrase}</p> : null}
        {push.retrievalStep ? null : <p>{words.pushes.noStep}</p>}
        {push.note === null ? null : (
          <p class="verbatim">
            <strong>{words.pushes.note}:</strong> {push.note}
          </p>
        )}
        {isExpired(push) ? null : <Link frame={frame} link={link} />}
        {push.files.length === 0 ? null : (
          <section>
            <h2>{words.shown.files}</h2>
            <FileList frame={frame} files={push.files} />
          </section>
        )}
        <Timeline frame={frame} one={one} />
        {isExpired(push) ? null : <Acts frame={frame} one={one} />}
      </div>
    ),
  });
}

function Link({ frame: { words }, link }: { frame: Frame; link: string }) {
  return (
    <>
      <div class="field">
        <label for="link">{words.pushes.link}</label>
        <input id="link" type="text" dir="ltr" readOnly value={link} />
      </div>
      <div class="row field js-only">
        <button
          type="button"
          class="plain"
          data-copies="link"
          data-done={words.shown.copied}
          data-failed={words.shown.copyFailed}
        >
          {words.made.copyLink}
        </button>
        <span id="said" class="soft small" role="status" />
      </div>
    </>
  );
}

function Timeline({ frame: { words, path }, one: { push, log, page } }: { frame: Frame; one: One }) {
  const to = (other: number) => path(`/pushes/${push.urlToken}?page=${other}`);
  return (
    <section>
      <h2>{words.pushes.log}</h2>
      <ol class="timeline">
        {log.map(({ kind, createdAt, ip, userAgent, referrer }) => (
          <li class={kind}>
            <p class="title">{words.pushes.kinds[kind]}</p>
            <p class="hint">
              <When words={words} at={createdAt} />
            </p>
            <p class="hint">{[ip, userAgent, referrer].filter((part) => part !== '').join(' · ')}</p>
          </li>
        ))}
      </ol>
      {page === 1 && log.length < 50 ? null : (
        <nav class="nav" aria-label={words.pushes.paging}>
          {page === 1 ? null : <a href={to(page - 1)}>{words.pushes.older}</a>}
          {log.length < 50 ? null : <a href={to(page + 1)}>{words.pushes.newer}</a>}
        </nav>
      )}
    </section>
  );
}

function Acts({ frame, one: { push, terms } }: { frame: Frame; one: One }) {
  const { words } = frame;
  return (
    <>
      <section>
        <h2>{words.pushes.extend}</h2>
        <Form frame={frame} action={`/pushes/${push.urlToken}/extend`}>
          <Select
            name="lifetime"
            label={words.pushes.from}
            value={`${terms.defaults.expireAfterDays}d`}
            options={lifetimes(terms).map(({ value, amount, unit }) => ({
              value,
              text: words.amount(amount, unit),
            }))}
          />
          <button type="submit" class="plain">
            {words.pushes.extendSubmit}
          </button>
        </Form>
      </section>
      <section>
        <h2>{words.pushes.expire}</h2>
        <p id="expire">{words.pushes.expireHow}</p>
        <Form frame={frame} action={`/pushes/${push.urlToken}/expire`}>
          <button type="submit" class="danger" aria-describedby="expire">
            {words.pushes.expire}
          </button>
        </Form>
      </section>
    </>
  );
}
