import type { BrowserLinkRequest } from '../../domain/index.ts';
import { renderPage } from '../components/layout.tsx';
import type { PageContext } from '../pageContext.ts';
import { accountLabel, chats, chatUserLabel } from './chatLabels.ts';

/** Shows the code that the chat user types into the chat. Loads itself again until they have. */
export function connectWaitingPage(page: PageContext, request: BrowserLinkRequest): string {
  const { messages } = page;
  const { chatUser, name, account, code } = request;
  const { waitingTitle, waitingLink, waitingSignIn, waitingHow, waitingFallback, waitingCheck } =
    messages.connect;
  const label = chatUserLabel(messages, chatUser, name);
  const { name: chat, connectCommand } = chats[chatUser.platform];
  return renderPage(page, {
    title: waitingTitle(chat),
    children: (
      <div class="card">
        <h1>{waitingTitle(chat)}</h1>
        <p>{account === null ? waitingSignIn(label) : waitingLink(label, accountLabel(messages, account))}</p>
        <p>{waitingHow(chat)}</p>
        <p class="code">
          <code>{code}</code>
        </p>
        <p class="muted">{waitingFallback(connectCommand)}</p>
        <p>
          <a href={page.path('/connect')}>{waitingCheck}</a>
        </p>
      </div>
    ),
  });
}
