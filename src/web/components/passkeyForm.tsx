import type { ComponentChildren } from 'preact';
import type { PageContext } from '../pageContext.ts';
import { Form } from './form.tsx';

/** What pages with such forms load. */
export const passkeyScripts = ['passkeys.js'];

type PasskeyFormProps = {
  page: PageContext;
  action: string;
  fields?: Record<string, string | undefined>;
  /** The field in which the answer is sent. */
  name?: string;
  /** What the browser is asked for, but for the challenge. */
  options: object;
  /** Whether browsers also offer passkeys where the e-mail address is typed. */
  isOffered?: boolean;
  children: ComponentChildren;
};

/** A form that a passkey completes: the script shows it in browsers that know them. */
export function PasskeyForm({
  page,
  name = 'passkey',
  options,
  isOffered = false,
  children,
  ...form
}: PasskeyFormProps) {
  const { cancelled, exists, failed } = page.messages.passkeys;
  page.allowConnect(); // for the challenge
  return (
    <Form
      page={page}
      {...form}
      hidden
      data-passkey={JSON.stringify(options)}
      data-challenge={page.path('/passkeys/challenge')}
      data-offered={isOffered ? 'yes' : undefined}
      data-cancelled={cancelled}
      data-exists={exists}
      data-failed={failed}
    >
      <input type="hidden" name={name} value="" data-answer />
      {children}
      <p class="hint field-error" role="alert" />
    </Form>
  );
}
