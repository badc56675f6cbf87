import { ErrorMessage, SuccessMessage } from '../../components/alerts.tsx';
import { Checkbox, RadioGroup, Select } from '../../components/choices.tsx';
import { ConfirmedAction } from '../../components/confirmedAction.tsx';
import { LinkField, OneTimeValue } from '../../components/copy.tsx';
import { TextArea, TextField } from '../../components/fields.tsx';
import { PushTable } from '../../components/pushTable.tsx';
import type { PageContext } from '../../pageContext.ts';
import { readPushListQuery } from '../../pushListQuery.ts';
import { samplePush } from './samplePush.ts';

type Props = { page: PageContext };

/** One primary action on a page; everything else is quieter. */
export function ButtonSamples() {
  return (
    <>
      <p class="row">
        <button type="button">Primary</button>
        <button type="button" class="secondary">
          Secondary
        </button>
        <button type="button" class="danger">
          Danger
        </button>
        <button type="button" class="danger solid">
          Confirmed danger
        </button>
        <button type="button" class="text-button">
          Text
        </button>
        <button type="button" disabled>
          Disabled
        </button>
      </p>
      <p class="row">
        <button type="button" class="chip-button" aria-pressed="true">
          Chosen
        </button>
        <button type="button" class="chip-button" aria-pressed="false">
          To choose
        </button>
      </p>
      <ConfirmedAction text="Delete" hint="What will happen, and that it cannot be undone.">
        <button type="button" class="danger solid">
          Delete for good
        </button>
      </ConfirmedAction>
    </>
  );
}

/** Inputs, at rest and with a problem. */
export function FieldSamples() {
  return (
    <>
      <TextField name="sample-text" label="Label" hint="A hint says what the label cannot." />
      <TextField
        name="sample-wrong"
        label="With a problem"
        value="x"
        problem="Must have at least 12 characters."
      />
      <TextField name="sample-read" label="Read-only" value="Cannot be changed" readOnly />
      <TextArea name="sample-area" label="Several lines" rows={3} />
    </>
  );
}

/** Choices: among few as tabs, among many as a list. */
export function ChoiceSamples() {
  const options = ['One', 'Two', 'Three'].map((text) => ({ value: text, text }));
  return (
    <>
      <RadioGroup name="sample-tabs" class="tabs" label="One of a few" options={options} value="One" />
      <Select name="sample-select" label="One of many" options={options} value="Two" />
      <Checkbox name="sample-on" label="Chosen" checked />
      <Checkbox name="sample-off" label="Not chosen" checked={false} />
    </>
  );
}

/** What happened, what is wrong, and what to know before going on. */
export function MessageSamples() {
  return (
    <>
      <SuccessMessage text="Saved." />
      <ErrorMessage text="Something is not right yet. Nothing was created." />
      <p class="warning">This was the last view. Copy the secret before you leave this page.</p>
    </>
  );
}

/** Values that people copy. A credential is shown once. */
export function CopySamples({ page }: Props) {
  return (
    <>
      <LinkField
        page={page}
        label="The link"
        hint="What to know about it."
        link="https://push.example.com/p/0123456789abcdefghjkmnpqrs"
      />
      <OneTimeValue page={page} label="Token" value="hp_0123456789" copyText="Copy the token" />
    </>
  );
}

/** Pushes that wait, are open, were used up, and were deleted; and what an empty list says. */
export function TableSamples({ page }: Props) {
  const now = Date.now();
  const waiting = samplePush(now);
  return (
    <>
      <PushTable
        page={page}
        query={readPushListQuery(new URLSearchParams())}
        pushes={[
          waiting,
          { ...waiting, id: '2', name: 'Staging database', viewsUsed: 1 },
          { ...waiting, id: '3', name: null, viewsUsed: 3, expiredOn: now },
          { ...waiting, id: '4', name: 'Wi-Fi', deleted: true, expiredOn: now },
        ]}
      />
      <div class="empty">
        <p class="muted">An empty list says why, and leads on.</p>
        <button type="button">What to do first</button>
      </div>
    </>
  );
}
