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
  const labels = { name, label, hint, problem };
  return (
    <Field {...labels}>
      <div class="joined">
        <input id={name} name={name} type="text" {...input} {...describedBy(labels)} />
        {children}
      </div>
    </Field>
  );
}

/** A control with its label, its problem and its hint. */
export const Field = ({ label, children, ...messages }: FieldLabels & { children: ComponentChildren }) => (
  <div class="field">
    <label for={messages.name}>{label}</label>
    {children}
    <FieldMessages {...messages} />
  </div>
);

type PageProps = { page: PageContext };

type PasswordFieldProps = PageProps &
  Pick<TextFieldProps, 'name' | 'label' | 'problem' | 'autofocus'> & { isNew?: boolean };

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
}: PageProps & Pick<TextFieldProps, 'value' | 'problem' | 'autocomplete'>) => (
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
  const labels = { name, label, hint, problem };
  return (
    <Field {...labels}>
      <div class="box">
        <textarea
          id={name}
          name={name}
          dir="auto"
          spellcheck={false}
          {...area}
          {...describedBy(labels)}
          dangerouslySetInnerHTML={longText(`\n${value}`)}
        />
        {children}
      </div>
    </Field>
  );
}

/** The problem and the hint below a control. */
export const FieldMessages = ({ name, hint, problem }: Omit<FieldLabels, 'label'>) => (
  <>
    {problem !== undefined && (
      <p id={`${name}-problem`} class="hint field-error">
        {problem}
      </p>
    )}
    {hint !== undefined && (
      <p id={`${name}-hint`} class="hint">
        {hint}
      </p>
    )}
  </>
);

/** The attributes that connect a control with its FieldMessages. */
export function describedBy({ name, hint, problem }: Omit<FieldLabels, 'label'>) {
  const ids = [problem !== undefined && `${name}-problem`, hint !== undefined && `${name}-hint`];
  return {
    'aria-describedby': ids.filter((id) => id !== false).join(' ') || undefined,
    'aria-invalid': problem === undefined ? undefined : ('true' as const),
  };
}
