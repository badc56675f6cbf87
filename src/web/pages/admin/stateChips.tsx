import { type AccountSummary, maybeChatUserOf } from '../../../domain/index.ts';
import type { Messages } from '../../../locales/locales.ts';

/** What is special about an account. */
export function StateChips({ messages, account }: { messages: Messages; account: AccountSummary }) {
  const { isAdmin, subscribed, disabled, signedUp, noPassword } = messages.admin;
  const needsPassword = maybeChatUserOf(account.email) === undefined && !account.hasPassword;
  const states = [
    ...(account.disabledAt === null ? [] : [disabled]),
    ...(account.isAdmin ? [isAdmin] : []),
    ...(account.subscribed ? [subscribed] : []),
    ...(account.signedUp ? [signedUp] : []),
    ...(needsPassword ? [noPassword] : []),
  ];
  return (
    <span class="chip-list">
      {states.map((state) => (
        <span class={state === disabled ? 'chip warning-chip' : 'chip'}>{state}</span>
      ))}
    </span>
  );
}
