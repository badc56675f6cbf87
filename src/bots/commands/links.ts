import type { ChatCaller, ComposeContext, Domain } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import { cardsOf } from '../language.ts';

export type PageOf = (purpose: 'compose' | 'connect' | 'export', token: string) => string;

type Dependencies = { chat: Domain['chat']; pageOf: PageOf };

/** Commands that give one-time links to pages in the browser. */
export const createLinkCommands = ({ chat, pageOf }: Dependencies) => ({
  /** A link to the form in the browser, for one push within 15 minutes. It works once `save` is done. */
  prepareComposeLink(context: ComposeContext): { link: string; token: string; save: () => Promise<void> } {
    const { token, save } = chat.prepareComposeLink(context);
    return { link: pageOf('compose', token), token, save };
  },

  /** Changes who gets the push of a compose link. */
  setComposeRecipients: (caller: ChatCaller, token: string, recipients: string[]) =>
    chat.setComposeRecipients(
      token,
      recipients.map((address) => ({ platform: caller.chatUser.platform, address })),
    ),

  /**
   * A link by which a browser asks to sign in as the caller, or to link them to its account, once within ten minutes.
   * While a browser waits, the card asks the caller to confirm: direct messages may not reach them. The chat calls
   * them by `name`.
   */
  async connect(caller: ChatCaller, name: string): Promise<Card> {
    await chat.admit(caller);
    const waiting = await chat.linkRequests.maybeOpenOf(caller.chatUser);
    if (waiting !== undefined) return cardsOf(caller).linkRequested(waiting);
    const token = await chat.createConnectLink({ chatUser: caller.chatUser, name });
    return cardsOf(caller).connect(pageOf('connect', token));
  },

  /** A link by which a browser gets the activity of the workspace, once within ten minutes. Only for its admins. */
  async exportActivity(caller: ChatCaller): Promise<Card> {
    return cardsOf(caller).activityExport(pageOf('export', await chat.createExportLink(caller)));
  },

  /** `code` is what the waiting browser shows. */
  async confirmLink(caller: ChatCaller, linkId: string, code: string): Promise<Card> {
    await chat.admit(caller);
    return cardsOf(caller).linkConfirmed(await chat.linkRequests.confirm(caller.chatUser, linkId, code));
  },

  async rejectLink(caller: ChatCaller, linkId: string): Promise<Card> {
    await chat.admit(caller);
    await chat.linkRequests.reject(caller.chatUser, linkId);
    return cardsOf(caller).linkRejected;
  },
});
