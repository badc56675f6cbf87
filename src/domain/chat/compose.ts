import { unavailable } from '../../errors.ts';
import type { OneTimeLinks } from '../base/index.ts';
import type { Outbox } from '../outbox/index.ts';
import {
  type Account,
  type ChatCaller,
  type ChatUser,
  orOutside,
  type Platform,
  toRecipient,
} from '../people/index.ts';
import type { Push, Pushes } from '../pushes/index.ts';
import type { Requests } from '../requests/index.ts';
import { chatClientOf } from './admission.ts';
import type { ChatPushes } from './createPush.ts';
import type { FormDefaults, FormDefaultsReader } from './formDefaults.ts';
import type { Identities } from './identities/identities.ts';
import type { PushForm } from './pushForm.ts';

/** What a compose link stores about where it was requested. */
export type ComposeContext = Pick<ChatCaller, 'chatUser' | 'workspace' | 'locale'> & {
  recipients?: ChatUser[] | undefined;
  requestId?: string | undefined;
  /** Where the platform accepts a reply to the conversation. */
  replyTo?: string | undefined;
};

type Dependencies = {
  chatPushes: Pick<ChatPushes, 'check' | 'share'>;
  formDefaults: FormDefaultsReader['formDefaults'];
  identities: Identities;
  requests: Requests;
  links: OneTimeLinks;
  pushes: Pushes;
  outbox: Outbox;
};

type ComposedListener = { platform: Platform; onComposed(context: ComposeContext, push: Push): void };

/** Compose links open the form of a push in the browser, for a chat user. A link creates one push, within 15 minutes. */
export function createComposing(dependencies: Dependencies) {
  const { chatPushes, formDefaults, identities, requests, links, pushes, outbox } = dependencies;
  const listeners = new Set<ComposedListener>();

  /** Returns a link's token. It works once `save` has resolved. */
  const prepareComposeLink = (context: ComposeContext) => links.prepare('compose', context);

  /**
   * Returns a token for answering a request in the browser. Throws `not_found` if the request is not open, or not for
   * this account.
   */
  async function createProvideLink(account: Account, requestId: string): Promise<string> {
    const chatUser = await requests.chatUserFor(account, requestId, 'provider');
    const { workspace } = await requests.requireOpen(requestId, chatUser);
    const context: ComposeContext = { chatUser, workspace: orOutside(workspace), requestId };
    return links.create('compose', context);
  }

  /** Changes the recipients, who may be chosen after the link was shown. */
  async function setComposeRecipients(token: string, recipients: ChatUser[]): Promise<void> {
    const context = await links.read<ComposeContext>('compose', token);
    await links.update('compose', token, { ...context, recipients });
  }

  /** Reads a link without using it up. `account` is null for new users. Throws `not_found` once the link is used or expired. */
  async function previewCompose(
    token: string,
  ): Promise<{ context: ComposeContext; account: Account | null; defaults: FormDefaults }> {
    const context = await links.read<ComposeContext>('compose', token);
    const [account = null, defaults] = await Promise.all([
      identities.maybeAccount(context.chatUser),
      formDefaults(context),
    ]);
    return { context, account, defaults };
  }

  /**
   * Begins the push of a link, for the account of its chat user, like `pushes.begin`. Throws like `previewCompose`.
   * Creating it uses the link up, and notifies the sender in their chat; `isSent` is true if the push has recipients.
   */
  async function beginCompose(token: string) {
    const { chatUser } = await links.read<ComposeContext>('compose', token);
    const account = await identities.accountOf(chatUser);
    const creation = await pushes.begin({ account, client: chatClientOf(chatUser) });

    async function create(form: PushForm): Promise<{ push: Push; isSent: boolean }> {
      const context = await links.read<ComposeContext>('compose', token);
      const checked = await chatPushes.check({ ...context, idempotencyKey: null }, form, context);
      if (!checked.admitted.account.id.equals(account.id)) throw unavailable('accountChanged');
      const push = await creation.create(checked.input, {
        lifetimeMaxMs: checked.lifetimeMaxMs,
        async inTransaction(tx, pushId) {
          await chatPushes.share(checked, pushId, tx);
          await links.consume(token, tx);
          await outbox.send('composed', pushId, [toRecipient(context.chatUser)], tx);
        },
      });
      for (const { platform, onComposed } of listeners)
        if (platform === chatUser.platform) onComposed(context, push);
      return { push, isSent: checked.recipients.length + checked.emails.length > 0 };
    }

    return { ...creation, account, create };
  }

  /** Creates the push of a link, without files. */
  const compose = async (token: string, form: PushForm) => (await beginCompose(token)).create(form);

  return {
    prepareComposeLink,
    createProvideLink,
    setComposeRecipients,
    previewCompose,
    beginCompose,
    compose,
    /**
     * Calls a listener for every push that this process creates from a compose link of a chat. Returns a function that
     * removes it.
     */
    onComposed(platform: Platform, onComposed: ComposedListener['onComposed']): () => void {
      const listener = { platform, onComposed };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
