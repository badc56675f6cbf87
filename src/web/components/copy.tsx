import type { ComponentChildren, JSX } from 'preact';
import type { PageContext } from '../pageContext.ts';
import { describedBy, FieldMessages } from './fields.tsx';

type CopyButtonProps = {
  page: PageContext;
  from: string;
  text: string;
  /** Names what is copied for screen readers, where a page has several such buttons. */
  label?: string;
  class?: string;
  id?: string;
  'aria-labelledby'?: string;
};

/** Copies the text of the element with the id `from`. Needs copy.js. */
export function CopyButton({ page: { messages }, from, text, label, ...button }: CopyButtonProps) {
  const { copied, copyFailed } = messages.secret;
  return (
    <button
      type="button"
      aria-label={label}
      {...button}
      data-copy={from}
      data-copied={copied}
      data-copy-failed={copyFailed}
    >
      {text}
    </button>
  );
}

/** Where copy.js reports whether copying worked. One per page. */
export function CopyStatus() {
  return <span id="copy-status" class="muted small" role="status" />;
}

type WholeTextProps = { id: string; value: string } & Pick<
  JSX.IntrinsicElements['textarea'],
  'aria-label' | 'aria-describedby' | 'aria-invalid'
>;

/** A link or a credential to copy, whole on every screen: it wraps where it does not fit into one line. */
export function WholeText({ value, ...textarea }: WholeTextProps) {
  return (
    <textarea class="whole-text" dir="ltr" rows={2} readOnly spellcheck={false} {...textarea}>
      {value}
    </textarea>
  );
}

type LinkFieldProps = {
  page: PageContext;
  label: string;
  link: string;
  hint?: string;
  /** The text of the button, where it is not the link of a push. */
  copyText?: string;
  class?: string;
  /** What else to do with it, before it is copied. */
  children?: ComponentChildren;
};

/** A link with a button that copies it. */
export function LinkField({
  page,
  label,
  link,
  hint,
  children,
  class: look = '',
  ...button
}: LinkFieldProps) {
  const { copyText = page.messages.pushCreated.copyLink } = button;
  return (
    <div class="field">
      <label for="link">{label}</label>
      <div class="copy-field">
        <WholeText id="link" value={link} {...describedBy({ name: 'link', hint })} />
        {children}
        <CopyButton page={page} from="link" text={copyText} class={`js-only ${look}`} />
      </div>
      <FieldMessages name="link" hint={hint} />
      <CopyStatus />
    </div>
  );
}

type OneTimeValueProps = {
  page: PageContext;
  label: string;
  value: string;
  copyText: string;
  /** What else to know about it. */
  children?: ComponentChildren;
};

/** A credential that is shown once, with a button that copies it. */
export function OneTimeValue({ page, label, value, copyText, children }: OneTimeValueProps) {
  return (
    <div class="success" role="status">
      <div class="field">
        <label for="one-time-value">{label}</label>
        <WholeText id="one-time-value" value={value} />
        <p class="hint">
          {page.messages.tokens.shownOnce} {children}
        </p>
      </div>
      <CopyButton page={page} from="one-time-value" text={copyText} class="js-only" />
    </div>
  );
}
