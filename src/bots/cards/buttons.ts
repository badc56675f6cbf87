import type { Push, PushRecipient, ReminderTime } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';
import { type Platform, platforms } from '../../platforms.ts';
import { actions } from '../actions.ts';
import type { Button } from '../card.ts';
import type { ChatMessages } from '../messages.ts';

type ExtendablePush = Pick<Push, 'id' | 'extensionMs'>;
type SentPush = Pick<Push, 'id'> & { recipients: PushRecipient[] };

/** Of buttons in one row, no two have the same id. */
const remindActions: Record<ReminderTime, string> = {
  hour: actions.remindInAnHour,
  day: actions.remindInADay,
  morning: actions.remindInTheMorning,
};

export type Buttons = ReturnType<typeof createButtons>;

/** The buttons of cards, each with what it is about. */
export function createButtons({ duration, chat }: Messages) {
  const { buttons, confirmBurn } = chat;
  const burn = (pushId: string): Button => ({
    label: buttons.burn,
    style: 'danger',
    id: actions.askBurn,
    value: pushId,
    confirm: { id: actions.burn, ...confirmBurn },
  });
  /** Says how much time it adds. Absent where there is none to add. */
  const maybeExtend = ({ id, extensionMs }: ExtendablePush): Button[] =>
    extensionMs === 0
      ? []
      : [{ label: buttons.extend(duration(extensionMs)), id: actions.extend, value: id }];

  /** Reminds the recipients in a chat who have not opened a push. Absent where there are none. */
  const maybeNudge = ({ id, recipients }: SentPush): Button[] =>
    recipients.some(({ address, openedAt }) => address !== null && openedAt === null)
      ? [{ label: buttons.nudge, id: actions.nudge, value: id }]
      : [];

  return {
    burn,
    maybeExtend,
    audit: (pushId: string): Button => ({ label: buttons.audit, id: actions.audit, value: pushId }),
    share: (pushId: string): Button => ({ label: buttons.share, id: actions.send, value: pushId }),
    shareInChannel: (pushId: string): Button => ({
      label: buttons.shareInChannel,
      id: actions.shareInChannel,
      value: pushId,
    }),
    open: (label: string, url: string): Button => ({ label, style: 'primary', id: actions.open, url }),
    /** Gives its recipient a link of their own. */
    openBound: (pushId: string): Button => ({
      label: buttons.open,
      style: 'primary',
      id: actions.openBound,
      value: pushId,
    }),
    maybeNudge,
    /** Asks a recipient when they want to be reminded. */
    remindLater: (pushId: string): Button => ({
      label: buttons.remindLater,
      id: actions.remindLater,
      value: pushId,
    }),
    remindAt: (pushId: string, time: ReminderTime): Button => ({
      label: buttons.remindIn[time],
      id: remindActions[time],
      value: pushId,
    }),
    newPush: (value: string): Button => ({
      label: buttons.newPush,
      style: 'primary',
      id: actions.newPush,
      value,
    }),
    ...createRequestButtons(chat),
    /** Opens the form for the code that the browser shows. */
    confirmLink: (linkId: string): Button => ({
      label: buttons.confirmLink,
      style: 'primary',
      id: actions.confirmLink,
      value: linkId,
    }),
    rejectLink: (linkId: string): Button => ({
      label: buttons.rejectLink,
      style: 'danger',
      id: actions.rejectLink,
      value: linkId,
    }),
    /** Another page of a list. */
    listPage: (label: string, page: number, query: string): Button => ({
      label,
      id: actions.listPage,
      value: `${page} ${query}`,
    }),
    /** Opens the second form of a push. */
    more: (value: string): Button => ({ label: buttons.more, style: 'primary', id: actions.refill, value }),
    /** Opens a refused form again, without asking for the secret. */
    refill: (value: string): Button => ({
      label: buttons.refill,
      style: 'primary',
      id: actions.refill,
      value,
    }),
    /** Actions for a push that has not been viewed. */
    unread: (push: ExtendablePush & SentPush): Button[] => [
      ...maybeNudge(push),
      ...maybeExtend(push),
      burn(push.id),
    ],
    home: [
      { label: buttons.newPush, style: 'primary', id: actions.newPush, value: 'home' },
      { label: buttons.newRequest, id: actions.newRequest, value: 'home' },
      { label: buttons.newRequestLink, id: actions.newRequestLink, value: 'home' },
      { label: buttons.allPushes, id: actions.listAll, value: 'home' },
      { label: buttons.settings, id: actions.settings, value: 'home' },
    ] satisfies Button[],
    whoseSettings: (platform: Platform): Button[] => [
      { label: buttons.mySettings, style: 'primary', id: actions.settings, value: 'own' },
      { label: buttons.rules[platforms[platform].workspaceIs], id: actions.rules, value: 'all' },
      exportActivityButton(chat),
    ],
  };
}

/** Buttons of requests, for those who are asked and for those who ask. */
const createRequestButtons = ({ buttons }: ChatMessages) => ({
  provide: (requestId: string): Button => ({
    label: buttons.provide,
    style: 'primary',
    id: actions.provide,
    value: requestId,
  }),
  decline: (requestId: string): Button => ({
    label: buttons.decline,
    id: actions.decline,
    value: requestId,
  }),
  cancel: (requestId: string): Button => ({ label: buttons.cancel, id: actions.cancel, value: requestId }),
  /** All requests that were sent together. */
  cancelAll: (groupId: string): Button => ({
    label: buttons.cancel,
    id: actions.cancelAll,
    value: groupId,
  }),
  closeRequestLink: (id: string): Button => ({
    label: buttons.closeRequestLink,
    style: 'danger',
    id: actions.closeRequestLink,
    value: id,
  }),
});

/** Gives an admin the activity of their workspace. */
export const exportActivityButton = ({ buttons }: ChatMessages): Button => ({
  label: buttons.exportActivity,
  id: actions.exportActivity,
  value: 'all',
});
