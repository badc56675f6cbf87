import { type PublicType, publicTypes, type Webhook } from '../../../domain/index.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { Checkbox } from '../../components/choices.tsx';
import { FieldMessages } from '../../components/fields.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import type { PageContext } from '../../pageContext.ts';

/** Which events a webhook gets, to choose anew. */
export function webhookTypesPage(page: PageContext, webhook: Webhook): string {
  const { webhooks: texts } = page.messages;
  return accountPage(page, {
    section: 'webhooks',
    back: { path: '/account/webhooks', text: texts.title },
    title: texts.typesOf(webhook.url ?? texts.unreadable),
    children: (
      <Form page={page} action="/account/webhooks/types" fields={{ id: webhook.id }}>
        <EventTypeFields page={page} isChosen={(type) => webhook.types?.includes(type) ?? false} />
        <SubmitButton text={texts.saveTypes} />
      </Form>
    ),
  });
}

type EventTypeFieldsProps = { page: PageContext; isChosen: (type: PublicType) => boolean };

/** A checkbox for each type of event. */
export function EventTypeFields({ page: { messages }, isChosen }: EventTypeFieldsProps) {
  const { types, typesHint, eventTypes } = messages.webhooks;
  return (
    <fieldset class="field" aria-describedby="types-hint">
      <legend>{types}</legend>
      {publicTypes.map((type) => (
        <Checkbox
          name={type}
          label={
            <>
              <code>{type}</code>: {eventTypes[type]}
            </>
          }
          checked={isChosen(type)}
        />
      ))}
      <FieldMessages name="types" hint={typesHint} />
    </fieldset>
  );
}

/** The types that were chosen in a form; null, for all, if none was. */
export function readEventTypes(fields: Record<string, string>): PublicType[] | null {
  const types = publicTypes.filter((type) => fields[type] === 'on');
  return types.length > 0 ? types : null;
}
