import {
  type AccountAct,
  type ChatUser,
  type LinkRequest,
  maybeChatUserOf,
  type NewBrowser,
} from '../../domain/index.ts';
import { plainDeviceLabel } from '../../locales/devices.ts';
import type { Messages } from '../../locales/locales.ts';
import { type Card, moment, type TextPart, textCard } from '../card.ts';
import type { Buttons } from './buttons.ts';

/** Cards about a browser that wants to sign in as a chat user, or to link them to an account. */
export function createLinkCards(language: Messages, buttons: Buttons) {
  const { links: texts } = language.chat;

  /** An account by its address, or as the person it was created for. */
  function accountPart({ chatUser }: Pick<LinkRequest, 'chatUser'>, account: string): TextPart {
    const owner = maybeChatUserOf(account);
    return owner?.platform === chatUser.platform ? { person: owner.address } : { bold: account };
  }

  return {
    /** Names the account, and asks the user to confirm. */
    linkRequested(link: LinkRequest): Card {
      const { id, account } = link;
      return {
        summary: [account === null ? texts.signInSummary : texts.requestedSummary],
        lines: [
          account === null ? [texts.signInRequested] : texts.requested<TextPart>(accountPart(link, account)),
          [texts.onlyYou],
        ],
        buttons: [buttons.confirmLink(id), buttons.rejectLink(id)],
      };
    },
    linkConfirmed: (link: LinkRequest): Card =>
      link.account === null
        ? textCard(texts.signedIn)
        : textCard(texts.confirmed<TextPart>(accountPart(link, link.account))),
    linkRejected: textCard(texts.rejected),
    /** What an admin or an operator did to an account, for its own addresses. */
    accountAct({ kind, account, actor, detail }: AccountAct, chatUser: ChatUser): Card {
      const { acts } = texts;
      const by = actor === null ? acts.byOperator : acts.byAdmin(actor);
      const what = detail === null ? acts.kinds[kind] : `${acts.kinds[kind]} (${detail})`;
      return textCard(acts.line<TextPart>(by, accountPart({ chatUser }, account), what), [acts.unexpected]);
    },
    /** A browser that had not signed in to an account before, for the addresses of that account. */
    newBrowser({ account, ip, place, userAgent, createdAt }: NewBrowser, chatUser: ChatUser): Card {
      return textCard(
        texts.newBrowser<TextPart>(
          { bold: plainDeviceLabel(language, userAgent) },
          accountPart({ chatUser }, account),
          { code: language.address(ip, place) },
          moment(createdAt),
        ),
        [texts.newBrowserUnexpected],
      );
    },
    /** For the other addresses of an account that a chat user now shares. */
    linked: (link: LinkRequest): Card =>
      textCard(texts.linked<TextPart>(link.name, accountPart(link, link.account ?? ''))),
  };
}
