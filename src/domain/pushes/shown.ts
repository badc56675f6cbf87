import { type Caller, seesLinks, textFor } from '../people/index.ts';
import type { ListedPush, PushRecipient } from './push.ts';

/** A push as a caller may see it: for one who may not see links without any, and without texts that could be one. */
export function shownTo(caller: Pick<Caller, 'token'>, push: ListedPush): ListedPush {
  if (seesLinks(caller)) return push;
  const { name, note, files, recipients } = push;
  const shown = {
    urlToken: null,
    name: textFor(caller, name),
    note: textFor(caller, note),
    files: files.map((file) => ({ ...file, filename: textFor(caller, file.filename), download: null })),
    recipients: recipients.map((recipient) => recipientShownTo(caller, recipient)),
  };
  return { ...push, ...shown };
}

export function recipientShownTo(caller: Pick<Caller, 'token'>, recipient: PushRecipient): PushRecipient {
  if (seesLinks(caller)) return recipient;
  return { ...recipient, name: textFor(caller, recipient.name), urlToken: null };
}
