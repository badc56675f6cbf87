import type { Push, PushRecipient } from '../../domain/index.ts';
import { type Line, moment, type TextPart } from '../card.ts';
import type { ChatMessages } from '../messages.ts';

type Part = TextPart | Line;

export type ViewLimits = Pick<Push, 'viewsMax' | 'viewsUsed' | 'expiresAt'>;

/** What a push is called by, when it may have no name. */
export type TitledPush = {
  name: string | null;
  createdAt: number;
  isUnreadable?: boolean;
  recipients: PushRecipient[];
};

export type Phrases = ReturnType<typeof createPhrases>;

/** As many as a title names. */
const namedMax = 3;

/** Parts of sentences that many cards have in common. */
export function createPhrases({ push: texts, people: listOf, morePeople }: ChatMessages) {
  /** A push by its name, or else by its recipients and its time. */
  function titleOf({ name, createdAt, isUnreadable = false, recipients }: TitledPush): Line {
    if (name !== null) return [{ bold: name }];
    if (isUnreadable) return [texts.unreadable];
    return texts.unnamed<Part>(maybeNamed(recipients), moment(createdAt)).flat();
  }

  /** Recipients in a sentence; undefined if there are none, or none that has a name. */
  function maybeNamed(recipients: PushRecipient[]): Line | undefined {
    const named = recipients.flatMap(recipientPart);
    return named.length === 0 ? undefined : listed(named, namedMax);
  }

  const limitsOf = ({ viewsMax, viewsUsed, expiresAt }: ViewLimits): Line =>
    texts.opens<TextPart>(viewsMax - viewsUsed, viewsUsed > 0, moment(expiresAt));

  /** The same for a recipient, who knows it as a secret. */
  const receivedLimitsOf = ({ viewsMax, viewsUsed, expiresAt }: ViewLimits): Line =>
    texts.receivedOpens<TextPart>(viewsMax - viewsUsed, viewsUsed > 0, moment(expiresAt));

  const peopleOf = (people: string[]): Line => listed(people.map((person) => ({ person })));

  function listed(people: TextPart[], max = people.length): Line {
    const named = people.slice(0, max);
    const more = people.length - named.length;
    return listOf<TextPart>(more > 0 ? [...named, morePeople(more)] : named);
  }

  return { titleOf, maybeNamed, limitsOf, receivedLimitsOf, peopleOf };
}

/** A mention of a chat user, or else the name of a recipient, where it is known. */
function recipientPart({ address, name }: PushRecipient): TextPart[] {
  if (address !== null) return [{ person: address }];
  return name === null ? [] : [name];
}
