import type { types } from '@slack/bolt';
import { actions } from '../actions.ts';
import type { FormSpec } from '../form.ts';
import { renderSlackField } from './form.ts';

type Block = types.KnownBlock;

/** A form as Slack gives it back while it is open. */
export type OpenForm = Pick<types.ModalView, 'title' | 'submit' | 'close'> & {
  callback_id: string;
  private_metadata: string;
  blocks: Block[];
};

/** An open form with the fields that were left out. Slack keeps what was entered in the others, and the cursor where it is. */
export function withMoreFields(
  { callback_id, private_metadata, title, submit, close, blocks }: OpenForm,
  { more }: FormSpec,
): types.ModalView {
  const isMoreButton = (block: Block) =>
    block.type === 'actions' && block.elements.some(({ action_id: id }) => id === actions.more);
  return {
    type: 'modal',
    callback_id,
    private_metadata,
    title,
    ...(submit && { submit }),
    ...(close && { close }),
    blocks: [
      ...blocks.filter((block) => !isMoreButton(block)),
      ...(more?.fields ?? []).flatMap((field) => renderSlackField(field)),
    ],
  };
}
