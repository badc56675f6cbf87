import type { ComponentChildren, JSX } from 'preact';
import type { PageContext } from '../pageContext.ts';
import { describedBy, type FieldLabels, FieldMessages } from './fields.tsx';

type Options = { value: string; text: string; 'data-set'?: string | undefined }[];
type ChoiceProps = FieldLabels & {
  options: Options;
  value: string | undefined;
  class?: string;
  children?: ComponentChildren;
};

/** A labelled drop-down list. */
export function Select({ name, label, hint, problem, options, value, children, ...select }: ChoiceProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name} {...select} {...describedBy({ name, hint, problem })}>
        {options.map(({ text, ...option }) => (
          <option {...option} selected={option.value === value}>
            {text}
          </option>
        ))}
      </select>
      {children}
      <FieldMessages name={name} hint={hint} problem={problem} />
    </div>
  );
}

/** Labelled radio buttons. */
export function RadioGroup({ name, label, hint, problem, options, value, ...fieldset }: ChoiceProps) {
  return (
    <fieldset {...fieldset} {...describedBy({ name, hint, problem })}>
      <legend>{label}</legend>
      <div class="row">
        {options.map((option) => (
          <label class="checkbox">
            <input type="radio" name={name} value={option.value} checked={option.value === value} />
            {option.text}
          </label>
        ))}
      </div>
      <FieldMessages name={name} hint={hint} problem={problem} />
    </fieldset>
  );
}

/** Shows what is typed into the passwords of its form. Needs showTyped.js. */
export const ShowTyped = ({ page }: { page: PageContext }) => (
  <label class="checkbox js-only">
    <input type="checkbox" data-show-typed /> {page.messages.signIn.showTyped}
  </label>
);

type CheckboxProps = JSX.IntrinsicElements['input'] & { label: ComponentChildren; 'data-unset'?: string };

/** A labelled checkbox. Checked, it is sent as `on`; unchecked, not at all. */
export function Checkbox({ label, ...checkbox }: CheckboxProps) {
  return (
    <label class="checkbox">
      <input type="checkbox" {...checkbox} /> <span>{label}</span>
    </label>
  );
}
