import type { ChatCaller, ChatPushOptions, Domain, Push, PushForm } from '../../domain/index.ts';
import type { Card, Line } from '../card.ts';
import { type ChatReader, cardsOf } from '../language.ts';

type Dependencies = { chat: Domain['chat']; linkTo: (urlToken: string) => string };

/** `recipients` are addresses in the caller's chat; `hints` stand below the card. */
export type CreateOptions = Omit<ChatPushOptions, 'recipients'> & { recipients?: string[]; hints?: Line[] };

/** Commands that create a push. */
export function createPushCreation({ chat, linkTo }: Dependencies) {
  /** Creates a push from a form and shares it with its recipients. A refusal names every field that is wrong. */
  async function create(
    caller: ChatCaller,
    form: PushForm,
    { recipients = [], hints = [], ...options }: CreateOptions,
  ): Promise<Card> {
    const { platform } = caller.chatUser;
    const push = await chat.pushes.create(caller, form, {
      ...options,
      recipients: recipients.map((address) => ({ platform, address })),
    });
    const mailedTo = push.recipients.flatMap(({ mail, name }) => (mail === undefined ? [] : [name ?? '']));
    return cardsOf(caller).pushCreated(push, linkTo(push.urlToken), { sentTo: recipients, mailedTo, hints });
  }

  /** Creates a push of the text after a command, byte for byte, where the workspace allows that. */
  async function createFromText(caller: ChatCaller, text: string): Promise<Card> {
    const rules = await chat.settings.ofCaller(caller);
    if (!chat.settings.allowsSlashText(rules)) return cardsOf(caller).textNotAllowed;
    return create(caller, { payload: text }, { hints: [cardsOf(caller).hints.slashText] });
  }

  /** Provides what was requested; the card is for the provider. */
  async function provide(
    caller: ChatCaller,
    requestId: string,
    form: PushForm,
    options: Pick<ChatPushOptions, 'files' | 'signal'> = {},
  ): Promise<Card> {
    const request = await chat.requests.requireOpen(requestId, caller.chatUser);
    await create(caller, form, { ...options, requestId });
    return cardsOf(caller).requestEnded.provided(request);
  }

  return {
    create,
    createFromText,
    provide,
    /** The card for a push that was created in the browser. */
    pushCreated: (push: Push, reader: ChatReader) => cardsOf(reader).pushCreated(push, linkTo(push.urlToken)),
  };
}
