import type { ComponentChildren } from 'preact';
import { Form } from '../../components/fields.tsx';
import { renderPage } from '../../components/layout.tsx';
import type { PageContext } from '../pageContext.ts';

type AccountSection = 'general' | 'chats' | 'tokens' | 'webhooks' | 'sessions';

type AccountPage = {
  section: AccountSection;
  lead?: string;
  scripts?: readonly string[];
  children: ComponentChildren;
};

/** A page of the account, below the way to the others. */
export function accountPage(
  page: PageContext,
  { section, lead, scripts = [], children }: AccountPage,
): string {
  const { messages, path } = page;
  const titles: [AccountSection, string, string][] = [
    ['general', '/account', messages.account.general],
    ['chats', '/account/chats', messages.chats.title],
    ['tokens', '/account/tokens', messages.tokens.title],
    ['webhooks', '/account/webhooks', messages.webhooks.title],
    ['sessions', '/account/sessions', messages.sessions.title],
  ];
  const title = titles.find(([name]) => name === section)?.[2] ?? messages.account.title;
  return renderPage(page, {
    title: section === 'general' ? messages.account.title : title,
    current: 'account',
    scripts,
    children: (
      <>
        <nav class="nav sections" aria-label={messages.account.sections}>
          {titles.map(([name, to, text]) => (
            <a href={path(to)} {...(name === section ? { 'aria-current': 'page' as const } : {})}>
              {text}
            </a>
          ))}
        </nav>
        <div class="sheet">
          <h1>{section === 'general' ? messages.account.title : title}</h1>
          {lead === undefined ? null : <p class="soft">{lead}</p>}
          {children}
        </div>
      </>
    ),
  });
}

type ActionButtonProps = {
  page: PageContext;
  action: string;
  id: string;
  text: string;
  label: string;
  danger?: boolean;
};

/** A form of one button that does something to one thing; `label` names the thing for those who do not see where it stands. */
export function ActionButton({ page, action, id, text, label, danger = false }: ActionButtonProps) {
  return (
    <Form page={page} action={action}>
      <input type="hidden" name="id" value={id} />
      <button type="submit" class={danger ? 'danger' : 'plain'} aria-label={label}>
        {text}
      </button>
    </Form>
  );
}

type OneTimeValueProps = { page: PageContext; label: string; value: string; copy: string };

/** Something that is shown once, to be copied; the page runs copy.js. */
export function OneTimeValue({ page: { messages }, label, value, copy }: OneTimeValueProps) {
  return (
    <div class="done" role="status">
      <div class="field">
        <label for="once">{label}</label>
        <input id="once" type="text" dir="ltr" readOnly value={value} />
        <p class="hint">{messages.tokens.shownOnce}</p>
      </div>
      <button
        type="button"
        class="js-only"
        data-copies="once"
        data-done={messages.secret.copied}
        data-failed={messages.secret.copyFailed}
      >
        {copy}
      </button>
    </div>
  );
}
