import type { ComponentChildren, JSX } from 'preact';
import type { PageContext } from '../pageContext.ts';
import { longText } from './longText.ts';

export type FieldLabels = {
  name: string;
  label: ComponentChildren;
  hint?: ComponentChildren;
  problem?: string | undefined;
};

type TextFieldProps = FieldLabels &
  Omit<JSX.IntrinsicElements['input'], 'name' | 'label'> & { children?: ComponentChildren };

/** A labelled input with its hint and problem; `children` follow the input. */
export function TextField({ name, label, hint, problem, children, ...input }: TextFieldProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <div class="joined">
        <input id={name} name={name} type="text" {...input} {...describedBy({ name, hint, problem })} />
        {children}
      </div>
      <FieldMessages name={name} hint={hint} problem={problem} />
    </div>
  );
}

type PasswordFieldProps = Pick<TextFieldProps, 'name' | 'label' | 'problem' | 'autofocus'> & {
  page: PageContext;
  isNew?: boolean;
};

/** A field for a password, or for a new one. */
export const PasswordField = ({ page: { messages }, isNew = false, ...field }: PasswordFieldProps) => (
  <TextField
    type="password"
    required
    {...(isNew
      ? { autocomplete: 'new-password', minLength: 12, hint: messages.signUp.passwordHint }
      : { autocomplete: 'current-password' })}
    {...field}
  />
);

/** A field for the address that an account signs in with. */
export const EmailField = ({
  page,
  ...field
}: { page: PageContext } & Pick<TextFieldProps, 'value' | 'problem'>) => (
  <TextField
    name="email"
    label={page.messages.signIn.email}
    type="email"
    autocomplete="username"
    required
    autofocus
    {...field}
  />
);

type TextAreaProps = FieldLabels & {
  value?: string | undefined;
  rows?: number;
  required?: boolean;
  placeholder?: string;
  children?: ComponentChildren;
};

/** A labelled text area, with `children` within its border. Browsers drop one line break at the start, so the text gets one to drop (HTML, 4.10.11). */
export function TextArea({ name, label, hint, problem, value = '', children, ...area }: TextAreaProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <div class="box">
        <textarea
          id={name}
          name={name}
          dir="auto"
          spellcheck={false}
          {...area}
          {...describedBy({ name, hint, problem })}
          dangerouslySetInnerHTML={longText(`\n${value}`)}
        />
        {children}
      </div>
      <FieldMessages name={name} hint={hint} problem={problem} />
    </div>
  );
}

/** The problem and the hint below a control. */
export function FieldMessages({ name, hint, problem }: Pick<FieldLabels, 'name' | 'hint' | 'problem'>) {
  return (
    <>
      {problem === undefined ? null : (
        <p id={`${name}-problem`} class="hint field-error">
          {problem}
        </p>
      )}
      {hint === undefined ? null : (
        <p id={`${name}-hint`} class="hint">
          {hint}
        </p>
      )}
    </>
  );
}

/** The attributes that connect a control with its FieldMessages. */
export function describedBy({ name, hint, problem }: Pick<FieldLabels, 'name' | 'hint' | 'problem'>) {
  const ids = [problem === undefined ? '' : `${name}-problem`, hint === undefined ? '' : `${name}-hint`];
  const described = ids.filter((id) => id !== '').join(' ');
  return {
    ...(described === '' ? {} : { 'aria-describedby': described }),
    ...(problem === undefined ? {} : { 'aria-invalid': 'true' as const }),
  };
}
