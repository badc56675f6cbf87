import type { types } from '@slack/bolt';
import type { Messages } from '../../locales/locales.ts';
import { type Button, type Card, textCard } from '../card.ts';
import { plainText, renderBlocks } from './render.ts';

/** A view holds 100 blocks (docs.slack.dev, “Views”). */
const viewBlocksMax = 100;

/** A modal that shows a card. */
export const renderCardModal = (title: string, card: Card, { chat }: Messages): types.ModalView => ({
  type: 'modal',
  title: plainText(title),
  close: plainText(chat.modals.close),
  blocks: renderBlocks(card).slice(0, viewBlocksMax),
});

/** A modal that opens at once, until its content is known. */
export const renderLoadingModal = (title: string, messages: Messages): types.ModalView =>
  renderCardModal(title, textCard(messages.chat.modals.loading), messages);

/** The App Home: buttons, and below them the sections with their headings. */
export function renderHome(buttons: Button[], sections: Record<string, Card>): types.HomeView {
  const blocks = Object.entries(sections).flatMap(([heading, card]) => [
    { type: 'header' as const, text: plainText(heading) },
    ...renderBlocks(card),
  ]);
  const top = renderBlocks({ summary: [], lines: [], buttons });
  return { type: 'home', blocks: [...top, ...blocks].slice(0, viewBlocksMax) };
}
