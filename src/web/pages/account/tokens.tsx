import { type ApiTokenSummary, tokenScopes } from '../../../domain/index.ts';
import type { Messages } from '../../../locales/locales.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { RadioGroup, Select } from '../../components/choices.tsx';
import { OneTimeValue } from '../../components/copy.tsx';
import { TextField } from '../../components/fields.tsx';
import { ActionButton, ButtonLink, ConfirmedAction, Form, SubmitButton } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { LabelledTime, Time } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';
import type { RefusedForm } from '../errorPage.tsx';

export type TokensPage = RefusedForm & {
  tokens: ApiTokenSummary[];
  /** The token that was just created. */
  created?: { name: string; token: string };
  success?: string | undefined;
};

/** Choices for how long a token works. */
export const lifetimesInDays = [7, 30, 90, 365];

/** The account's API tokens, with a form for a new one. */
export function tokensPage(
  page: PageContext,
  { tokens, created, success, problem, entered, problems }: TokensPage,
): string {
  const { tokens: texts, trustRules } = page.messages;
  return accountPage(page, {
    section: 'tokens',
    lead: texts.lead,
    ...{ success, problem },
    scripts: ['copy.js'],
    children: (
      <>
        {created && (
          <OneTimeValue
            page={page}
            label={`${texts.token}: ${created.name}`}
            value={created.token}
            copyText={texts.copy}
          />
        )}
        <List
          emptyText={texts.none}
          items={tokens.map((token) => ({
            title: token.name,
            details: tokenDetails(page.messages, token),
            actions: <TokenActions page={page} name={token.name} />,
          }))}
        />
        <NewTokenForm page={page} entered={entered} problems={problems} />
        <section>
          <h2>{trustRules.title}</h2>
          <p>{trustRules.hint}</p>
          <ButtonLink class="secondary" href={page.path('/account/rules')} text={trustRules.manage} />
        </section>
      </>
    ),
  });
}

function TokenActions({ page, name }: { page: PageContext; name: string }) {
  const texts = page.messages.tokens;
  const hours = Object.entries(texts.replaceHours).map(([value, text]) => ({ value, text }));
  return (
    <>
      <ConfirmedAction class="secondary" text={texts.replace} label={texts.replaceOf(name)}>
        <Form page={page} action="/account/tokens/replace" fields={{ id: name }}>
          <RadioGroup name="hours" class="field" label={texts.replaceHint} options={hours} value="1" />
          <SubmitButton text={texts.replaceNow} />
        </Form>
      </ConfirmedAction>
      <ActionButton
        page={page}
        action="/account/tokens/revoke"
        id={name}
        text={texts.revoke}
        label={texts.revokeOf(name)}
        confirmation={{ hint: texts.revokeHint, text: texts.revoke }}
      />
    </>
  );
}

function tokenDetails(messages: Messages, { hint, scope, ...token }: ApiTokenSummary) {
  const texts = messages.tokens;
  const end = token.isExpired ? texts.expired : texts.expires;
  return [
    `…${hint} · ${texts.scopes[scope]}`,
    <LabelledTime messages={messages} label={texts.created} at={token.createdAt} />,
    <>
      {texts.lastUsed}:{' '}
      {token.lastUsedAt === null ? texts.never : <Time messages={messages} at={token.lastUsedAt} />}{' '}
      {token.lastUsedIp ? texts.lastUsedFrom(token.lastUsedIp) : null}
    </>,
    token.expiresAt && <LabelledTime messages={messages} label={end} at={token.expiresAt} />,
    token.previousUntil && (
      <LabelledTime messages={messages} label={texts.previousUntil} at={token.previousUntil} />
    ),
  ];
}

type NewTokenFormProps = RefusedForm & { page: PageContext };

function NewTokenForm({ page, entered = {}, problems = {} }: NewTokenFormProps) {
  const { tokens: texts, amount } = page.messages;
  return (
    <Form page={page} action="/account/tokens">
      <TextField
        name="name"
        label={texts.name}
        hint={texts.nameHint}
        maxLength={100}
        required
        value={entered.name}
        problem={problems.name}
      />
      <RadioGroup
        name="scope"
        class="field"
        label={texts.scope}
        options={tokenScopes.map((scope) => ({ value: scope, text: texts.scopes[scope] }))}
        value={entered.scope ?? 'full'}
        problem={problems.scope}
      />
      <Select
        name="days"
        label={texts.lifetime}
        options={[
          { value: '', text: texts.unlimited },
          ...lifetimesInDays.map((days) => ({ value: String(days), text: amount(days, 'day') })),
        ]}
        value={entered.days ?? ''}
        problem={problems.days}
      />
      <button type="submit">{texts.create}</button>
    </Form>
  );
}
