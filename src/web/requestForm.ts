import { accountNameOf, type ChatUser, type IdentitySummary, type ListedRequest } from '../domain/index.ts';
import type { Fields } from './forms.ts';

/** A chat to ask in, and the user who asks there. `value` is how the addresses of its people begin. */
export type RequestPlace = { value: string; user: IdentitySummary };

/** A person from earlier requests. */
export type KnownPerson = { address: string; user: ChatUser; name: string | null };

const knownMax = 10;

/** Where an account can ask for secrets: each chat once, as the user that has been linked for longest. */
export function requestPlaces(identities: IdentitySummary[]): RequestPlace[] {
  const places = identities.map((user) => ({ value: placeOf(accountNameOf(user)), user }));
  return places.filter(({ value }, at) => places.findIndex((place) => place.value === value) === at);
}

/** People whom an account asked or was asked by, the latest first, in chats where it can ask. */
export function knownPeople(
  { received, sent }: { received: ListedRequest[]; sent: ListedRequest[] },
  places: RequestPlace[],
): KnownPerson[] {
  const people = [
    ...sent.map(({ provider, otherName }) => toKnown(provider, otherName)),
    ...received.map(({ requester, otherName }) => toKnown(requester, otherName)),
  ];
  return [...new Map(people.map((person) => [person.address, person])).values()]
    .filter(({ address }) => places.some(({ value }) => value === placeOf(address)))
    .slice(0, knownMax);
}

const toKnown = (user: ChatUser, name: string | null) => ({ address: accountNameOf(user), user, name });

/** An address without its user. */
const placeOf = (address: string) => address.slice(0, address.lastIndexOf(':'));

/** The form as input for the domain: known people by their addresses, others by their ids in the chosen chat. */
export function requestInputOf({ chat = '', people = '', due, reason, ...fields }: Fields) {
  const known = Object.keys(fields).filter((name) => fields[name] === 'on');
  const others = people.split(/[\s,;]+/).filter((id) => id !== '');
  return { from: [...known, ...others.map((id) => `${chat}:${id}`)], reason, dueInMinutes: due };
}
