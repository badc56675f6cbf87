import { z } from 'zod';
import { DomainError, unavailable } from '../../errors.ts';
import { addressForms, isChatAddress } from '../../platforms.ts';
import { asMessage, integer, parseInput } from '../base/index.ts';
import {
  type Account,
  addressWorkspace,
  type ChatUser,
  maybeChatUserOf,
  orOutside,
} from '../people/index.ts';
import {
  providersMax,
  type Requests,
  requestDueMinutes,
  requestSchema,
  type SecretRequest,
} from '../requests/index.ts';
import type { Admit } from './admission.ts';
import type { Identities } from './identities/identities.ts';

type Dependencies = { admit: Admit; identities: Pick<Identities, 'list'>; requests: Requests };

const notAnAddress = asMessage({ code: 'chatAddress' });
const isAddress = (text: string): boolean => {
  const user = maybeChatUserOf(text);
  return user !== undefined && isChatAddress(user.platform, user.address);
};
const address = z.string().refine(isAddress, { abort: true }); // so that the union says what is wrong

/** Where chat users see each other: a workspace, or the whole chat. */
const placeOf = (user: ChatUser): string => `${user.platform}:${addressWorkspace(user)}`;

export type SecretRequestSchema = typeof secretRequestSchema;

/** The input of a request that is not made in a chat. */
export const secretRequestSchema = requestSchema.extend({
  from: z
    .union([address, z.array(address)], notAnAddress)
    .transform((addresses) => [addresses].flat().flatMap((each) => maybeChatUserOf(each) ?? []))
    .refine((users) => users.length > 0, asMessage({ code: 'required' }))
    .refine((users) => users.length <= providersMax, asMessage({ code: 'maxCount', max: providersMax }))
    .refine((users) => new Set(users.map(placeOf)).size < 2, asMessage({ code: 'severalChats' }))
    .meta({
      description: `Who to ask, as ${addressForms('or')} with the ids of the chat: one person, or at most ${providersMax} of one workspace`,
    }),
  dueInMinutes: integer(requestDueMinutes, requestDueMinutes.max).meta({
    default: requestDueMinutes.max,
    description: 'How many minutes they have to answer',
  }),
});

/** Requests secrets for accounts. */
export function createSecretRequesting({ admit, identities, requests }: Dependencies) {
  /**
   * Requests a secret from chat users, as the account's own user in that chat: the one who has been linked for longest,
   * in Slack of the same workspace. The answers get there. Throws `forbidden` if the account has no user there, and
   * otherwise like `admit` and `requests.create`.
   */
  return async function requestSecret(
    account: Account,
    input: unknown,
  ): Promise<[SecretRequest, ...SecretRequest[]]> {
    const { from: providers, ...request } = parseInput(secretRequestSchema, input);
    const requester = await maybeUserBeside(providers, account);
    if (requester === undefined) throw new DomainError('forbidden', 'notInChat');
    if (providers.some((provider) => provider.address === requester.address))
      throw new DomainError('invalid', 'requestToSelf', { problems: { from: [{ code: 'self' }] } });
    const admitted = await admit({
      chatUser: requester,
      workspace: orOutside(addressWorkspace(requester)),
      idempotencyKey: null,
    });
    // They may have been linked to another account meanwhile.
    if (!admitted.account.id.equals(account.id)) throw unavailable('accountChanged');
    return requests.create(requester, providers, request);
  };

  async function maybeUserBeside([other]: ChatUser[], account: Account): Promise<ChatUser | undefined> {
    const users = await identities.list(account);
    const found = users.find((user) => other !== undefined && placeOf(user) === placeOf(other));
    return found && { platform: found.platform, address: found.address };
  }
}
