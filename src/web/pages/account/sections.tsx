import type { ComponentChildren } from 'preact';
import { Form } from '../controls.tsx';
import { renderPage } from '../layout.tsx';
import type { Frame } from '../pageContext.ts';

type Section = 'general' | 'chats' | 'tokens' | 'webhooks' | 'sessions';

type Layout = { section: Section; lead?: string; scripts?: readonly string[]; children: ComponentChildren };

/** A page of the account, below the way to the others. */
export function accountSection(frame: Frame, { section, lead, scripts = [], children }: Layout): string {
  const { words, path } = frame;
  const titles: [Section, string, string][] = [
    ['general', '/account', words.account.general],
    ['chats', '/account/chats', words.chats.title],
    ['tokens', '/account/tokens', words.tokens.title],
    ['webhooks', '/account/webhooks', words.webhooks.title],
    ['sessions', '/account/sessions', words.sessions.title],
  ];
  const title = titles.find(([name]) => name === section)?.[2] ?? words.account.title;
  return renderPage(frame, {
    title: section === 'general' ? words.account.title : title,
    here: 'account',
    scripts,
    children: (
      <>
        <nav class="nav sections" aria-label={words.account.sections}>
          {titles.map(([name, to, text]) => (
            <a href={path(to)} {...(name === section ? { 'aria-current': 'page' as const } : {})}>
              {text}
            </a>
          ))}
        </nav>
        <div class="sheet">
          <h1>{section === 'general' ? words.account.title : title}</h1>
          {lead === undefined ? null : <p class="soft">{lead}</p>}
          {children}
        </div>
      </>
    ),
  });
}

type ActProps = { frame: Frame; action: string; id: string; text: string; label: string; danger?: boolean };

/** A form of one button that does something to one thing; `label` names the thing for those who do not see where it stands. */
export function Act({ frame, action, id, text, label, danger = false }: ActProps) {
  return (
    <Form frame={frame} action={action}>
      <input type="hidden" name="id" value={id} />
      <button type="submit" class={danger ? 'danger' : 'plain'} aria-label={label}>
        {text}
      </button>
    </Form>
  );
}

type Secret = { frame: Frame; label: string; value: string; copy: string };

/** Something that is shown once, to be copied; the page runs copy.js. */
export function ShownOnce({ frame: { words }, label, value, copy }: Secret) {
  return (
    <div class="done" role="status">
      <div class="field">
        <label for="once">{label}</label>
        <input id="once" type="text" dir="ltr" readOnly value={value} />
        <p class="hint">{words.tokens.shownOnce}</p>
      </div>
      <button
        type="button"
        class="js-only"
        data-copies="once"
        data-done={words.shown.copied}
        data-failed={words.shown.copyFailed}
      >
        {copy}
      </button>
    </div>
  );
}
