import type { ApiTokenSummary } from '../../../domain/index.ts';
import { ErrorMessage, SuccessMessage } from '../../components/alerts.tsx';
import { OneTimeValue } from '../../components/copy.tsx';
import { TextField } from '../../components/fields.tsx';
import { ActionButton, Form } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { Time } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';
import { accountPage } from './accountPage.tsx';

type TokensPage = {
  tokens: ApiTokenSummary[];
  /** The token that was just created. */
  created?: { name: string; token: string };
  success?: string | undefined;
  problem?: string | undefined;
  name?: string | undefined;
  problems?: Record<string, string>;
};

/** The account's API tokens, with a form for a new one. */
export function tokensPage(
  page: PageContext,
  { tokens, created, success, problem, name, problems = {} }: TokensPage,
): string {
  const { messages } = page;
  return accountPage(page, {
    section: 'tokens',
    lead: messages.tokens.lead,
    scripts: ['copy.js'],
    children: (
      <>
        <SuccessMessage text={success} />
        <ErrorMessage text={problem} />
        {created && (
          <OneTimeValue
            page={page}
            label={`${messages.tokens.token}: ${created.name}`}
            value={created.token}
            copyText={messages.tokens.copy}
          />
        )}
        <List
          emptyText={messages.tokens.none}
          items={tokens.map((token) => ({
            title: token.name,
            details: [
              `…${token.hint}`,
              <>
                {messages.tokens.created}: <Time messages={messages} at={token.createdAt} />
              </>,
              <>
                {messages.tokens.lastUsed}:{' '}
                {token.lastUsedAt === null ? (
                  messages.tokens.never
                ) : (
                  <Time messages={messages} at={token.lastUsedAt} />
                )}
              </>,
            ],
            actions: (
              <ActionButton
                page={page}
                action="/account/tokens/revoke"
                id={token.name}
                text={messages.tokens.revoke}
                label={messages.tokens.revokeOf(token.name)}
                confirmation={{ hint: messages.tokens.revokeHint, text: messages.tokens.revoke }}
              />
            ),
          }))}
        />
        <Form page={page} action="/account/tokens">
          <TextField
            name="name"
            label={messages.tokens.name}
            hint={messages.tokens.nameHint}
            maxLength={100}
            required
            value={name}
            problem={problems.name}
          />
          <button type="submit">{messages.tokens.create}</button>
        </Form>
      </>
    ),
  });
}
