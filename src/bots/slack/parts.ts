import type { Interactions } from '../interactions/interactions.ts';
import type { SlackModals } from './modals.ts';
import type { SlackPeople } from './people.ts';
import type { SlackReplies } from './replies.ts';
import type { UserGroups } from './userGroups.ts';

/** What the listeners of the app share. */
export type SlackParts = {
  interactions: Interactions;
  modals: SlackModals;
  replies: SlackReplies;
  people: SlackPeople;
  userGroups: UserGroups;
  /** Where the app can be installed; undefined where it has one workspace for good. */
  installUrl: string | undefined;
  onError: (error: unknown) => void;
};
