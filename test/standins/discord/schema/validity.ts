import { type Fields, fieldsOf, isFields, listOf } from '../../shared/json.ts';
import { judgeChoices, judgeCommands } from './commands.ts';
import { at, type Fault, fault } from './fault.ts';
import { judgeMessage } from './messages.ts';
import { judgeModal } from './modals.ts';
import { judgeRequest } from './openApi.ts';

/** What is wrong with the body of a call: by Discord's OpenAPI document, and by the rules that this does not hold. */
export function judge(operation: string, body: unknown, optionType?: unknown): Fault[] {
  const faults = [...judgeRequest(operation, withoutHabits(body)), ...rulesFor(operation, body, optionType)];
  const isNew = ({ place }: Fault, index: number) =>
    faults.findIndex((one) => one.place.join('.') === place.join('.')) === index;
  return faults.filter(isNew);
}

function rulesFor(operation: string, body: unknown, optionType: unknown): Fault[] {
  const fields = fieldsOf(body);
  switch (operation) {
    case 'bulk_set_application_commands':
      return judgeCommands(listOf(body));
    case 'create_dm':
      return fields.recipient_id ? [] : [fault(['recipient_id'], 'a direct message needs it')];
    case 'create_message':
      return judgeMessage('posted', fields);
    case 'execute_webhook':
      return judgeMessage('response', fields);
    case 'update_message':
    case 'update_original_webhook_message':
    case 'update_webhook_message':
      return judgeMessage('edited', fields);
    case 'create_interaction_response':
      return at(['data'], judgeResponse(fields.type, fieldsOf(fields.data), optionType));
    default:
      return [];
  }
}

function judgeResponse(type: unknown, data: Fields, optionType: unknown): Fault[] {
  if (type === 4) return judgeMessage('response', data);
  if (type === 5) return judgeMessage('deferred', data);
  if (type === 7) return judgeMessage('edited', data);
  if (type === 8) return judgeChoices(listOf(data.choices), optionType);
  return type === 9 ? judgeModal(data) : [];
}

/** discord.js says `tts: false` and `enforce_nonce: false` of every message, also where Discord knows no such fields. */
function withoutHabits(body: unknown): unknown {
  if (!isFields(body)) return body;
  const entries = Object.entries(body).filter(([name, value]) => value !== false || !habits.includes(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === 'data' ? withoutHabits(value) : value]),
  );
}

const habits = ['tts', 'enforce_nonce'];
