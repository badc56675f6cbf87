import { actions } from './actions.ts';
import { cards } from './cards/cards.ts';

export { actions };

export const {
  help,
  hints,
  saved,
  alreadyDone,
  tryAgain,
  internalError,
  notAllowed,
  notFound,
  lostDraft,
  nothingToPush,
  notInstalled,
  tooSlow: tooSlowCard,
  whoseSettings: whichSettings,
} = cards;

export const tooSlow = tooSlowCard.lines[0] ?? [];
export const { refill, home: homeButtons } = cards.buttons;
export const confirmations = { [actions.burn]: cards.confirmBurn };
