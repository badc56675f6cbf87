import { type TrustRule, tokenScopes, writeClaims } from '../../../domain/index.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { RadioGroup, Select } from '../../components/choices.tsx';
import { TextArea, TextField } from '../../components/fields.tsx';
import { ActionButton, Form, SubmitButton } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { LabelledTime } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';
import type { RefusedForm } from '../errorPage.tsx';

export type TrustRulesPage = RefusedForm & { rules: TrustRule[]; success?: string | undefined };

const lifetimesInMinutes = [5, 10, 15];

/** The account's trust rules, with a form for a new one. */
export function trustRulesPage(
  page: PageContext,
  { rules, success, problem, entered, problems }: TrustRulesPage,
): string {
  const { trustRules: texts, tokens } = page.messages;
  return accountPage(page, {
    section: 'tokens',
    back: { path: '/account/tokens', text: tokens.title },
    title: texts.title,
    lead: texts.lead,
    ...{ success, problem },
    children: (
      <>
        <List
          emptyText={texts.none}
          items={rules.map((rule) => ({
            title: rule.name,
            details: ruleDetails(page, rule),
            actions: (
              <ActionButton
                page={page}
                action="/account/rules/remove"
                id={rule.id}
                text={texts.remove}
                label={texts.removeOf(rule.name)}
                confirmation={{ hint: texts.removeHint, text: texts.remove }}
              />
            ),
          }))}
        />
        <NewRuleForm page={page} entered={entered} problems={problems} />
      </>
    ),
  });
}

function ruleDetails({ messages }: PageContext, rule: TrustRule) {
  const { trustRules: texts, tokens, amount } = messages;
  return [
    `${texts.issuer}: ${rule.issuer}`,
    <>
      {texts.audience}: <code>{rule.audience}</code>
    </>,
    ...writeClaims(rule.claims)
      .split('\n')
      .map((line) => <code>{line}</code>),
    `${tokens.scopes[rule.scope]} · ${amount(rule.minutes, 'minute')}`,
    rule.lastUsedAt === null ? (
      `${tokens.lastUsed}: ${tokens.never}`
    ) : (
      <LabelledTime messages={messages} label={tokens.lastUsed} at={rule.lastUsedAt} />
    ),
  ];
}

type NewRuleFormProps = RefusedForm & { page: PageContext };

function NewRuleForm({ page, entered = {}, problems = {} }: NewRuleFormProps) {
  const { trustRules: texts, tokens, amount } = page.messages;
  const field = (name: string) => ({ name, value: entered[name], problem: problems[name] });
  return (
    <Form page={page} action="/account/rules">
      <TextField {...field('name')} label={tokens.name} hint={texts.nameHint} maxLength={100} required />
      <TextField {...field('issuer')} label={texts.issuer} hint={texts.issuerHint} type="url" required />
      <TextArea {...field('claims')} label={texts.claims} hint={texts.claimsHint} rows={3} required />
      <TextField {...field('audience')} label={texts.audience} hint={texts.audienceHint} maxLength={255} />
      <RadioGroup
        {...field('scope')}
        class="field"
        label={tokens.scope}
        options={tokenScopes.map((scope) => ({ value: scope, text: tokens.scopes[scope] }))}
        value={entered.scope ?? 'create'}
      />
      <Select
        {...field('minutes')}
        label={texts.lifetime}
        options={lifetimesInMinutes.map((minutes) => ({
          value: String(minutes),
          text: amount(minutes, 'minute'),
        }))}
        value={entered.minutes ?? '15'}
      />
      <SubmitButton text={texts.create} />
    </Form>
  );
}
