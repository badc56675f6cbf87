import { type PublicType, publicTypes, type Webhook } from '../../../domain/index.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { BackLink } from '../../components/cardPage.tsx';
import { Checkbox } from '../../components/choices.tsx';
import { FieldMessages } from '../../components/fields.tsx';
import { Form } from '../../components/form.tsx';
import type { PageContext } from '../../pageContext.ts';

/** Which events a webhook gets, to choose anew. */
export function webhookTypesPage(page: PageContext, webhook: Webhook): string {
  const { webhooks: texts } = page.messages;
  return accountPage(page, {
    section: 'webhooks',
    children: (
      <>
        <BackLink page={page} path="/account/webhooks" text={texts.title} />
        <h2>{texts.typesOf(webhook.url ?? texts.unreadable)}</h2>
        <Form page={page} action="/account/webhooks/types">
          <input type="hidden" name="id" value={webhook.id} />
          <EventTypeFields page={page} isChosen={(type) => webhook.types?.includes(type) ?? false} />
          <button type="submit">{texts.saveTypes}</button>
        </Form>
      </>
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
