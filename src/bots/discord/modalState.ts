/** What the form of a push remembers until it is submitted, in its custom id: Discord keeps that, and shows it to nobody. */
export type DiscordModalState = {
  views?: number | undefined;
  /** One of `lifetimes`. */
  expires?: string | undefined;
  name?: string | undefined;
  /** The request that the push is to answer. */
  requestId?: string | undefined;
  /** The token of a text that was kept for it. */
  draftToken?: string | undefined;
  /** Whether that is the text of a message. */
  isFromMessage?: boolean;
};

const shape = /^(\d*),(\w*),([\da-f]*),(!?)([\w-]*),([\s\S]*)$/;

export const encodeState = ({
  views,
  expires,
  requestId,
  isFromMessage,
  draftToken,
  name,
}: DiscordModalState): string =>
  `${views ?? ''},${expires ?? ''},${requestId ?? ''},${isFromMessage ? '!' : ''}${draftToken ?? ''},${name ?? ''}`;

export function decodeState(text: string): DiscordModalState {
  const [, views = '', expires, answering, mark, draft, name] = shape.exec(text) ?? [];
  return {
    views: Number(views) || undefined,
    expires: expires || undefined,
    requestId: answering || undefined,
    draftToken: draft || undefined,
    isFromMessage: mark === '!',
    name: name || undefined,
  };
}
