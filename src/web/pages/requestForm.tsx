import { Checkbox, Select } from '../components/choices.tsx';
import { TextField } from '../components/fields.tsx';
import { Form } from '../components/form.tsx';
import type { Fields } from '../forms.ts';
import type { PageContext } from '../pageContext.ts';
import type { KnownPerson, RequestPlace } from '../requestForm.ts';
import { chatUserLabel } from './chatLabels.ts';

/** What the form offers, and what was sent with it, if it is shown again. */
export type NewRequest = {
  places: RequestPlace[];
  known: KnownPerson[];
  entered?: Fields | undefined;
  problems?: Partial<Record<'people' | 'reason' | 'due', string | undefined>> | undefined;
};

/** How long an answer may take, as in the forms of chats. */
const dueTimes = [
  ...[1, 4].map((amount) => ({ amount, unit: 'hour' as const, value: String(amount * 60) })),
  ...[1, 2, 3, 7, 14].map((amount) => ({ amount, unit: 'day' as const, value: String(amount * 1_440) })),
];

/** Asks people in a chat for a secret. */
export function RequestForm({ page, request }: { page: PageContext; request: NewRequest }) {
  const { messages } = page;
  const texts = messages.requests.form;
  const { places, known, entered = {}, problems = {} } = request;
  const field = (name: 'people' | 'reason') => ({
    ...{ name, label: texts[name], hint: texts[`${name}Hint`] },
    ...{ value: entered[name], problem: problems[name] },
  });
  return (
    <section>
      <h2>{texts.title}</h2>
      <Form page={page} action="/requests" class="measure">
        <PlaceField page={page} places={places} value={entered.chat} />
        {known.length === 0 ? null : (
          <fieldset class="field">
            <legend>{texts.known}</legend>
            {known.map(({ address, user, name }) => (
              <Checkbox
                name={address}
                label={<bdi>{chatUserLabel(messages, user, name)}</bdi>}
                checked={entered[address] === 'on'}
              />
            ))}
          </fieldset>
        )}
        <TextField {...field('people')} required={known.length === 0} autocomplete="off" spellcheck={false} />
        <TextField {...field('reason')} />
        <Select
          name="due"
          label={texts.due}
          options={dueTimes.map(({ value, ...due }) => ({
            value,
            text: messages.amount(due.amount, due.unit),
          }))}
          value={entered.due ?? dueTimes.at(-1)?.value}
          problem={problems.due}
        />
        <button type="submit">{texts.submit}</button>
      </Form>
    </section>
  );
}

type PlaceFieldProps = { page: PageContext; places: RequestPlace[]; value: string | undefined };

/** Nothing to choose where there is one chat. */
function PlaceField({ page: { messages }, places, value }: PlaceFieldProps) {
  const [first] = places;
  const labelOf = ({ user }: RequestPlace) => chatUserLabel(messages, user, user.name);
  // Of workspaces, only the id is known for sure.
  const isAmbiguous = new Set(places.map(labelOf)).size < places.length;
  if (places.length === 1) return <input type="hidden" name="chat" value={first?.value} />;
  return (
    <Select
      name="chat"
      label={messages.requests.form.chat}
      options={places.map((place) => ({
        value: place.value,
        text: isAmbiguous ? `${labelOf(place)} (${place.value})` : labelOf(place),
      }))}
      value={value}
    />
  );
}
