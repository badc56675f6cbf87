import { type Fields, fieldsOf, isFields, textOf } from '../shared/json.ts';
import type { Ack } from './delivery.ts';
import type { Platform } from './platform.ts';
import { validateView } from './schema/validity.ts';
import type { View } from './things.ts';
import { close, closeAll, replace, show } from './viewing.ts';

/**
 * Applies the acknowledgement of a submission. An empty one closes the modal; `errors`, `update`, `push` and `clear` are
 * applied; anything else leaves the modal open with an error.
 */
export function settleSubmission(platform: Platform, view: View, ack: Ack, triggerId: string): Ack {
  const wrong = applyResponse(platform, view, ack.body, triggerId);
  platform.clock.changed();
  if (wrong === undefined) return ack;
  platform.recordings.complain(`the answer to a submission: ${wrong}`);
  return { ...ack, error: 'We had some trouble connecting. Try again?' };
}

/** Applies the app's response. Returns its error, if any. */
function applyResponse(platform: Platform, view: View, body: unknown, triggerId: string): string | undefined {
  if (body === undefined) return void close(platform, view);
  if (!isFields(body)) return 'a text instead of nothing or a response_action';
  if (Object.keys(body).length === 0) return void close(platform, view);
  if (body.response_action === 'clear') return void closeAll(platform, view);
  if (body.response_action === 'errors') return showErrors(view, fieldsOf(body.errors), triggerId);
  if (body.response_action === 'update' || body.response_action === 'push') {
    return showView(platform, view, body.response_action, fieldsOf(body.view), triggerId);
  }
  return `no response_action that Slack knows: ${String(body.response_action)}`;
}

function showErrors(view: View, errors: Fields, triggerId: string): string | undefined {
  const inputs = view.blocks.filter(({ type }) => type === 'input').map(({ block_id }) => textOf(block_id));
  const ids = Object.keys(errors);
  const unknownIds = ids.filter((id) => !inputs.includes(id));
  if (ids.length === 0) return 'errors for no block';
  if (unknownIds.length > 0)
    return `errors for ${unknownIds.join(', ')}, which is no input block of the modal`;
  view.errors = Object.fromEntries(ids.map((id) => [id, String(errors[id])]));
  view.triggerId = triggerId;
  return undefined;
}

function showView(
  platform: Platform,
  view: View,
  how: 'update' | 'push',
  content: Fields,
  triggerId: string,
): string | undefined {
  const wrong = validateView('modal', content);
  if (wrong.length > 0) return wrong.join('; ');
  if (how === 'push') {
    const { app, user, grant } = view;
    show(platform, content, { app, user, grant, triggerId, on: view });
    return undefined;
  }
  replace(platform, view, content);
  view.triggerId = triggerId;
  return undefined;
}
