import type { ChatCaller, Domain, RequestLink } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import { cardsOf } from '../language.ts';

type Dependencies = {
  domain: Pick<Domain, 'chat' | 'requestLinks'>;
  requestLinkTo: (urlToken: string) => string;
};

/** What a link asks for. The domain validates it. */
export type RequestLinkInput = {
  title: string;
  /** E-mail addresses, as they were typed. */
  to?: string | undefined;
  note?: string | undefined;
  expireAfterMinutes?: number | undefined;
  answers?: number | undefined;
  passphrase?: string | undefined;
};

/** The address of a link; null if it cannot be decrypted, and of a sealed one, whose end only its owner's browser knows. */
export const addressOfLink = (
  { urlToken, publicKeys }: RequestLink,
  requestLinkTo: Dependencies['requestLinkTo'],
): string | null => (urlToken === null || publicKeys !== null ? null : requestLinkTo(urlToken));

/** Commands about links by which people without an account send a secret. */
export function createRequestLinkCommands({ domain, requestLinkTo }: Dependencies) {
  const { chat, requestLinks } = domain;

  /** Whoever answers may say who they are: forms have no room to choose that. */
  async function requestLink(caller: ChatCaller, input: RequestLinkInput): Promise<Card> {
    const { link, mailed } = await chat.createRequestLink(caller, { ...input, allowName: true });
    return cardsOf(caller).requestLink(link, requestLinkTo(link.urlToken ?? ''), mailed);
  }

  /** A link of the caller's, as it is now. */
  async function showRequestLink(caller: ChatCaller, id: string): Promise<Card> {
    const { account } = await chat.admit(caller);
    const link = await requestLinks.find({ account }, id);
    const mailed = await requestLinks.mailedTo({ account }, id);
    return cardsOf(caller).requestLink(link, addressOfLink(link, requestLinkTo), mailed);
  }

  /** What was sent stays. */
  async function closeRequestLink(caller: ChatCaller, id: string): Promise<Card> {
    const { account } = await chat.admit(caller);
    await requestLinks.close(account, id);
    return cardsOf(caller).requestLinkClosed(await requestLinks.find({ account }, id));
  }

  return { requestLink, showRequestLink, closeRequestLink };
}
