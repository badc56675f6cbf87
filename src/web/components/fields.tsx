import type { ComponentChildren, JSX } from 'preact';
import type { PageContext } from '../pages/pageContext.ts';

type FormProps = { page: PageContext; action?: string; children: ComponentChildren } & Pick<
  JSX.IntrinsicElements['form'],
  'id' | 'class' | 'enctype'
>;

/** A form of ours: it begins with the token without which it, and its files, would be refused. `action` is a path of the service. */
export function Form({ page, action, children, ...attributes }: FormProps) {
  return (
    <form method="post" {...(action === undefined ? {} : { action: page.path(action) })} {...attributes}>
      <input type="hidden" name="csrf" value={page.csrf()} />
      {children}
    </form>
  );
}

type FieldLabels = {
  name: string;
  label: ComponentChildren;
  /** What is to be known before filling it in. */
  hint?: ComponentChildren;
  /** What was wrong with it. */
  problem?: string | undefined;
};

type FieldProps = FieldLabels &
  Omit<JSX.IntrinsicElements['input'], 'name' | 'label'> & { children?: ComponentChildren };

/** A label, its input, a hint, and what was wrong; `children` stand behind the input. */
export function Field({ name, label, hint, problem, children, ...input }: FieldProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input id={name} name={name} type="text" {...input} {...describedBy({ name, hint, problem })} />
      {children}
      <FieldMessages name={name} hint={hint} problem={problem} />
    </div>
  );
}

type TextAreaProps = FieldLabels & {
  value?: string | undefined;
  rows?: number;
  required?: boolean;
  autofocus?: boolean;
  children?: ComponentChildren;
};

/** As Field, for several lines. A browser drops one line break at their beginning, so one is given for it to drop. */
export function TextArea({ name, label, hint, problem, value = '', children, ...area }: TextAreaProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <textarea
        id={name}
        name={name}
        dir="auto"
        spellcheck={false}
        {...area}
        {...describedBy({ name, hint, problem })}
      >
        {`\n${value}`}
      </textarea>
      {children}
      <FieldMessages name={name} hint={hint} problem={problem} />
    </div>
  );
}

type Options = { value: string; text: string }[];
type ChoiceProps = FieldLabels & {
  options: Options;
  value: string | undefined;
  class?: string;
  children?: ComponentChildren;
};

/** One of several, in a list that unfolds. */
export function Select({ name, label, hint, problem, options, value, children, ...select }: ChoiceProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name} {...select} {...describedBy({ name, hint, problem })}>
        {options.map((option) => (
          <option value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
      {children}
      <FieldMessages name={name} hint={hint} problem={problem} />
    </div>
  );
}

/** One of several, all in sight. */
export function RadioGroup({ name, label, hint, problem, options, value, ...fieldset }: ChoiceProps) {
  return (
    <fieldset {...fieldset} {...describedBy({ name, hint, problem })}>
      <legend>{label}</legend>
      <div class="row">
        {options.map((option) => (
          <label class="check">
            <input type="radio" name={name} value={option.value} checked={option.value === value} />
            {option.text}
          </label>
        ))}
      </div>
      <FieldMessages name={name} hint={hint} problem={problem} />
    </fieldset>
  );
}

/** A yes or no; it is sent as `on`, or not at all. */
export function Checkbox({ name, label, checked }: { name: string; label: string; checked: boolean }) {
  return (
    <label class="check">
      <input type="checkbox" name={name} checked={checked} /> <span>{label}</span>
    </label>
  );
}

/** What went wrong with a whole form, or nothing. */
export function ErrorMessage({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

/** What was done, or nothing. */
export function SuccessMessage({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="done" role="status">
      {text}
    </p>
  );
}

/** What stands under a control. */
export function FieldMessages({ name, hint, problem }: Pick<FieldLabels, 'name' | 'hint' | 'problem'>) {
  return (
    <>
      {problem === undefined ? null : (
        <p id={`${name}-problem`} class="hint wrong">
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

/** Says of a control where its remarks are. */
export function describedBy({ name, hint, problem }: Pick<FieldLabels, 'name' | 'hint' | 'problem'>) {
  const ids = [problem === undefined ? '' : `${name}-problem`, hint === undefined ? '' : `${name}-hint`];
  const described = ids.filter((id) => id !== '').join(' ');
  return {
    ...(described === '' ? {} : { 'aria-describedby': described }),
    ...(problem === undefined ? {} : { 'aria-invalid': 'true' as const }),
  };
}
