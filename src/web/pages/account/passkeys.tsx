import type { Passkey, PasskeyObstacle } from '../../../domain/index.ts';
import { cardPage } from '../../components/cardPage.tsx';
import { TextField } from '../../components/fields.tsx';
import { ActionButton, ButtonLink, Form, SubmitButton } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { PasskeyForm, passkeyScripts } from '../../components/passkeyForm.tsx';
import { LabelledTime, LastUsed } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';
import { factorsPath } from '../../secondFactor.ts';

export const passkeysPath = `${factorsPath}/passkeys`;

type PasskeyListProps = {
  page: PageContext;
  passkeys: Passkey[];
  obstacle: PasskeyObstacle | undefined;
  opening: ReadonlySet<string | undefined>;
};

/** The passkeys of the account. */
export function PasskeyList({ page, passkeys, obstacle, opening }: PasskeyListProps) {
  const { passkeys: texts, factors } = page.messages;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{texts.hint}</p>
      {passkeys.length === 0 ? null : (
        <List
          emptyText=""
          items={passkeys.map(({ id, credentialId, name, backedUp, otherHost, createdAt, lastUsedAt }) => ({
            title: <bdi>{name}</bdi>,
            details: [
              otherHost === null ? (backedUp ? texts.backedUp : texts.single) : texts.otherHost(otherHost),
              <LabelledTime messages={page.messages} label={factors.since} at={createdAt} />,
              <LastUsed messages={page.messages} at={lastUsedAt} />,
              opening.has(credentialId) ? texts.opensAnswers : null,
            ],
            actions: (
              <>
                <ButtonLink
                  class="secondary"
                  href={page.path(`${passkeysPath}/rename?id=${id}`)}
                  text={texts.rename}
                  aria-label={texts.renameOf(name)}
                />
                <ActionButton
                  page={page}
                  action={`${passkeysPath}/remove`}
                  id={id}
                  text={texts.remove}
                  label={texts.removeOf(name)}
                  danger
                  confirmation={{
                    hint: opening.has(credentialId) ? texts.removeOpeningHint : texts.removeHint,
                    text: texts.removeOf(name),
                  }}
                />
              </>
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
          <NameField page={page} name={name} problem={nameProblem} />
          <SubmitButton text={passkeys.create} />
        </PasskeyForm>
      </>
    ),
  });
}

type RenamePage = {
  passkey: Pick<Passkey, 'id' | 'name'>;
  /** What was entered. */
  name: string;
  problem: string | undefined;
};

/** Asks for another name of a passkey. */
export function renamePasskeyPage(page: PageContext, { passkey, name, problem }: RenamePage): string {
  const { passkeys, factors } = page.messages;
  return cardPage(page, {
    title: passkeys.renameOf(passkey.name),
    class: 'narrow',
    current: 'account',
    back: { path: factorsPath, text: factors.title },
    children: (
      <Form page={page} action={`${passkeysPath}/rename`} fields={{ id: passkey.id }}>
        <NameField page={page} name={name} problem={problem} />
        <SubmitButton text={passkeys.save} />
      </Form>
    ),
  });
}

type NameFieldProps = { page: PageContext; name: string | undefined; problem: string | undefined };

const NameField = ({ page: { messages }, name, problem }: NameFieldProps) => (
  <TextField
    name="name"
    label={messages.passkeys.name}
    hint={messages.passkeys.nameHint}
    problem={problem}
    value={name}
    maxLength={100}
    autocomplete="off"
    required
    autofocus
  />
);
