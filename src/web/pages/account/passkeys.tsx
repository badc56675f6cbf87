import type { Passkey, PasskeyObstacle } from '../../../domain/index.ts';
import { cardPage } from '../../components/cardPage.tsx';
import { TextField } from '../../components/fields.tsx';
import { ActionButton, Form, SubmitButton } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { PasskeyForm, passkeyScripts } from '../../components/passkeyForm.tsx';
import { LabelledTime, LastUsed } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';
import { factorsPath } from '../../secondFactor.ts';

export const passkeysPath = `${factorsPath}/passkeys`;

type PasskeyListProps = { page: PageContext; passkeys: Passkey[]; obstacle: PasskeyObstacle | undefined };

/** The passkeys of the account. */
export function PasskeyList({ page, passkeys, obstacle }: PasskeyListProps) {
  const { passkeys: texts, factors } = page.messages;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{texts.hint}</p>
      {passkeys.length === 0 ? null : (
        <List
          emptyText=""
          items={passkeys.map(({ id, name, backedUp, otherHost, createdAt, lastUsedAt }) => ({
            title: <bdi>{name}</bdi>,
            details: [
              otherHost === null ? (backedUp ? texts.backedUp : texts.single) : texts.otherHost(otherHost),
              <LabelledTime messages={page.messages} label={factors.since} at={createdAt} />,
              <LastUsed messages={page.messages} at={lastUsedAt} />,
            ],
            actions: (
              <ActionButton
                page={page}
                action={`${passkeysPath}/remove`}
                id={id}
                text={texts.remove}
                label={texts.removeOf(name)}
                danger
                confirmation={{ hint: texts.removeHint, text: texts.removeOf(name) }}
              />
            ),
          }))}
        />
      )}
      {obstacle === undefined ? (
        <Form page={page} action={`${passkeysPath}/new`}>
          <SubmitButton class="secondary" text={texts.add} />
        </Form>
      ) : (
        <p class="muted">{texts[obstacle]}</p>
      )}
    </section>
  );
}

type NewPasskeyPage = {
  /** What the browser creates a passkey by. */
  options: object;
  name: string | undefined;
  problem: string | undefined;
  nameProblem: string | undefined;
};

/** Asks for the name of a passkey, and has the browser create it. */
export function newPasskeyPage(
  page: PageContext,
  { options, name, problem, nameProblem }: NewPasskeyPage,
): string {
  const { passkeys, factors } = page.messages;
  return cardPage(page, {
    title: passkeys.add,
    lead: passkeys.addLead,
    problem,
    class: 'narrow',
    current: 'account',
    back: { path: factorsPath, text: factors.title },
    scripts: passkeyScripts,
    children: (
      <>
        <p class="warning" data-without-passkeys>
          {passkeys.needsBrowser}
        </p>
        <PasskeyForm page={page} action={passkeysPath} options={options}>
          <TextField
            name="name"
            label={passkeys.name}
            hint={passkeys.nameHint}
            problem={nameProblem}
            value={name}
            maxLength={100}
            autocomplete="off"
            required
            autofocus
          />
          <SubmitButton text={passkeys.create} />
        </PasskeyForm>
      </>
    ),
  });
}
