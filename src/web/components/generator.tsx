import type { PageContext } from '../pageContext.ts';

const styles = ['symbols', 'letters', 'digits', 'words'] as const;

type GeneratorProps = {
  page: PageContext;
  /** The field that it fills in. */
  name: string;
  text: string;
  value: { style: (typeof styles)[number]; parts: number };
  class?: string;
};

/** Makes up a value for a field. Its own controls are not part of the form. Needs generate.js. */
export function Generator({ page: { messages }, name, text, value, ...generator }: GeneratorProps) {
  const { options, style, length, strength, styles: names } = messages.generator;
  return (
    <div
      class={`generator js-only ${generator.class ?? ''}`}
      data-for={name}
      data-strength={strength('{bits}')}
    >
      <button type="button" class="text-button">
        {text}
      </button>
      <details>
        <summary class="small">{options}</summary>
        <div class="columns">
          <div class="field">
            <label for={`${name}-style`}>{style}</label>
            <select id={`${name}-style`} form="">
              {styles.map((each) => (
                <option value={each} selected={each === value.style}>
                  {names[each]}
                </option>
              ))}
            </select>
          </div>
          <div class="field">
            <label for={`${name}-length`}>{length}</label>
            <input
              id={`${name}-length`}
              form=""
              type="number"
              inputMode="numeric"
              min={4}
              max={128}
              value={value.parts}
            />
          </div>
        </div>
      </details>
      <p class="hint" role="status" />
    </div>
  );
}
