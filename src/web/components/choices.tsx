import type { ComponentChildren, JSX } from 'preact';
import type { LifetimeChoice } from '../lifetimes.ts';
import type { PageContext } from '../pageContext.ts';
import { describedBy, Field, type FieldLabels, FieldMessages } from './fields.tsx';

type Options = { value: string; text: string; 'data-set'?: string | undefined }[];
type ChoiceProps = FieldLabels & {
  options: Options;
  value: string | undefined;
  class?: string;
};

/** A labelled drop-down list. */
export function Select({ name, label, hint, problem, options, value }: ChoiceProps) {
  const labels = { name, label, hint, problem };
  return (
    <Field {...labels}>
      <select id={name} name={name} {...describedBy(labels)}>
        {options.map(({ text, ...option }) => (
          <option {...option} selected={option.value === value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
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

type CheckboxProps = JSX.IntrinsicElements['input'] &
  Record<`data-${string}`, string | undefined> & { label: ComponentChildren };

/** A labelled checkbox. Checked, it is sent as `on`; unchecked, not at all. */
export function Checkbox({ label, ...checkbox }: CheckboxProps) {
  return (
    <label class="checkbox">
      <input type="checkbox" {...checkbox} /> <span>{label}</span>
    </label>
  );
}

type LifetimeSelectProps = {
  page: PageContext;
  lifetimes: LifetimeChoice[];
  label: string;
  value: string;
  problem?: string | undefined;
};

/** The choice of a lifetime, as `lifetimeInput` reads them. newPush.js offers presets. */
export function LifetimeSelect({ page: { messages }, lifetimes, ...select }: LifetimeSelectProps) {
  const options = lifetimes.map(({ value, amount, unit }) => ({
    value,
    text: messages.amount(amount, unit),
  }));
  return <Select name="lifetime" options={options} {...select} />;
}
