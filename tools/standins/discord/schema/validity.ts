import { type Fields, fieldsOf, isFields, listOf } from '../../shared/json.ts';
import { validateChoices, validateCommands } from './commands.ts';
import { at, type Fault, fault } from './fault.ts';
import { validateMessage } from './messages.ts';
import { validateModal } from './modals.ts';
import { validateRequest } from './openApi.ts';

/** The faults of a call's body, by Discord's OpenAPI document and by rules that it does not contain. */
export function validateBody(operation: string, body: unknown, optionType?: unknown): Fault[] {
  const faults = [
    ...validateRequest(operation, withoutHabits(body)),
    ...rulesFor(operation, body, optionType),
  ];
  const isNew = ({ place }: Fault, index: number) =>
    faults.findIndex((one) => one.place.join('.') === place.join('.')) === index;
  return faults.filter(isNew);
}

function rulesFor(operation: string, body: unknown, optionType: unknown): Fault[] {
  const fields = fieldsOf(body);
  switch (operation) {
    case 'bulk_set_application_commands':
      return validateCommands(listOf(body));
    case 'create_dm':
      return fields.recipient_id ? [] : [fault(['recipient_id'], 'a direct message needs it')];
    case 'create_message':
      return validateMessage('posted', fields);
    case 'execute_webhook':
      return validateMessage('response', fields);
    case 'update_message':
    case 'update_original_webhook_message':
    case 'update_webhook_message':
      return validateMessage('edited', fields);
    case 'create_interaction_response':
      return at(['data'], validateInteractionResponse(fields.type, fieldsOf(fields.data), optionType));
    default:
      return [];
  }
}

function validateInteractionResponse(type: unknown, data: Fields, optionType: unknown): Fault[] {
  if (type === 4) return validateMessage('response', data);
  if (type === 5) return validateMessage('deferred', data);
  if (type === 7) return validateMessage('edited', data);
  if (type === 8) return validateChoices(listOf(data.choices), optionType);
  return type === 9 ? validateModal(data) : [];
}

/** discord.js sends `tts: false` and `enforce_nonce: false` with every message, even if Discord has no such fields. */
function withoutHabits(body: unknown): unknown {
  if (!isFields(body)) return body;
  const entries = Object.entries(body).filter(([name, value]) => value !== false || !habits.includes(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === 'data' ? withoutHabits(value) : value]),
  );
}

const habits = ['tts', 'enforce_nonce'];
