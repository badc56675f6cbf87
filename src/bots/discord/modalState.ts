/** What the form of a push remembers until it is submitted, in its custom id: Discord keeps that, and shows it to nobody. */
export type Memory = {
  views?: number | undefined;
  /** One of `lifetimes`. */
  expires?: string | undefined;
  name?: string | undefined;
  /** The request that the push is to answer. */
  answering?: string | undefined;
  /** The token of a text that was kept for it. */
  draft?: string | undefined;
  /** Whether that is the text of a message. */
  isMessage?: boolean;
};

const shape = /^(\d*),(\w*),([\da-f]*),(!?)([\w-]*),([\s\S]*)$/;

export const writeMemory = ({ views, expires, answering, isMessage, draft, name }: Memory): string =>
  `${views ?? ''},${expires ?? ''},${answering ?? ''},${isMessage ? '!' : ''}${draft ?? ''},${name ?? ''}`;

export function readMemory(text: string): Memory {
  const [, views = '', expires, answering, mark, draft, name] = shape.exec(text) ?? [];
  return {
    views: Number(views) || undefined,
    expires: expires || undefined,
    answering: answering || undefined,
    draft: draft || undefined,
    isMessage: mark === '!',
    name: name || undefined,
  };
}
