import {
  acceptedAnswers,
  type PushSettings,
  requestLinkAnswers,
  requestLinkTextMax,
} from '../../domain/index.ts';
import { addressesIn } from '../../mailAddress.ts';
import { cardPage } from '../components/cardPage.tsx';
import { Checkbox, Select, ShowTyped } from '../components/choices.tsx';
import { TextArea, TextField } from '../components/fields.tsx';
import { Form, SubmitButton } from '../components/form.tsx';
import type { Fields } from '../forms.ts';
import { lifetimeChoices } from '../lifetimes.ts';
import type { PageContext } from '../pageContext.ts';

type NewRequestLinkPage = {
  settings: PushSettings;
  /** Whether answers may have files. */
  mayAttach: boolean;
  /** Whether answers may be sealed. */
  maySeal: boolean;
  /** What a browser asks the account for a passkey by; undefined without one. */
  passkeyOptions: object | undefined;
  /** What was sent, if the form is shown again, and what is wrong with it. */
  entered?: Fields;
  problems?: Record<string, string>;
};

const expireChoices = ['5m', '30m', '1h', '4h', '12h', '1d', '2d', '3d', '7d', '14d', '30d', '60d', '90d'];
const units = { m: 'minute', h: 'hour', d: 'day' } as const;

/** The form for a request link. */
export function newRequestLinkPage(page: PageContext, form: NewRequestLinkPage): string {
  const { settings, mayAttach, maySeal, passkeyOptions, entered = {}, problems = {} } = form;
  const { messages } = page;
  const { create, back, form: texts } = messages.requestLinks;
  const { min, max } = requestLinkAnswers;
  const text = (name: 'title' | 'note' | 'passphrase') => ({
    ...{ name, label: texts[name], hint: texts[`${name}Hint`] },
    ...{ value: entered[name], problem: problems[name] },
  });
  const amountOf = (choice: string) =>
    messages.amount(Number(choice.slice(0, -1)), units[choice.slice(-1) as keyof typeof units]);
  const days = lifetimeChoices(settings).filter(({ unit }) => unit === 'day');
  return cardPage(page, {
    title: create,
    current: 'pushes',
    back: { path: '/requests', text: back },
    scripts: maySeal ? ['sealRequest.js', 'showTyped.js'] : [],
    children: (
      <Form
        page={page}
        action="/requests/links/new"
        fields={maySeal ? { publicKeys: '', wrappedKey: '' } : {}}
      >
        <TextField {...text('title')} required maxLength={requestLinkTextMax.title} autocomplete="off" />
        <TextArea {...text('note')} rows={3} />
        {settings.mailDomains !== null && (
          <TextField
            name="to"
            label={texts.to}
            hint={texts.toHint}
            value={entered.to}
            problem={addressProblem(problems, entered.to)}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            inputMode="email"
          />
        )}
        {mayAttach && (
          <Select
            name="accepts"
            label={texts.accepts}
            options={[...acceptedAnswers].reverse().map((value) => ({ value, text: texts.accepted[value] }))}
            value={entered.accepts ?? 'both'}
            problem={problems.accepts}
          />
        )}
        <Select
          name="expires"
          label={texts.expires}
          options={expireChoices.map((value) => ({ value, text: amountOf(value) }))}
          value={entered.expires ?? '7d'}
          problem={problems.expireAfterMinutes}
        />
        <TextField
          name="answers"
          label={texts.answers}
          type="number"
          min={min}
          max={max}
          value={entered.answers ?? (settings.mailDomains === null ? '1' : undefined)}
          hint={settings.mailDomains === null ? undefined : texts.answersHint}
          problem={problems.answers}
        />
        <Select
          name="answersExpireAfterDays"
          label={texts.keeps}
          options={days.map(({ amount }) => ({
            value: String(amount),
            text: messages.amount(amount, 'day'),
          }))}
          value={entered.answersExpireAfterDays ?? String(settings.defaults.expireAfterDays)}
          problem={problems.answersExpireAfterDays}
        />
        <Checkbox name="allowName" label={texts.allowName} checked={entered.allowName === 'on'} />
        <TextField {...text('passphrase')} autocomplete="off" spellcheck={false} />
        {maySeal ? (
          <>
            <SealingFields
              page={page}
              passkeyOptions={passkeyOptions}
              choice={entered.sealing}
              problem={problems.publicKeys}
            />
            <noscript>
              <p class="muted small">{texts.sealing.hints.server}</p>
            </noscript>
          </>
        ) : (
          <p class="muted small">{texts.sealing.hints.server}</p>
        )}
        <SubmitButton text={texts.submit} />
      </Form>
    ),
  });
}

/** What is wrong with the addresses, or with the first of them that something is wrong with. */
function addressProblem(problems: Record<string, string>, entered = ''): string | undefined {
  const [name = '', problem] = Object.entries(problems).find(([field]) => /^to(\.|$)/.test(field)) ?? [];
  const [, index] = name.split('.');
  return index === undefined ? problem : `${addressesIn(entered)[Number(index)]}: ${problem}`;
}

type SealingProps = {
  page: PageContext;
  passkeyOptions: object | undefined;
  choice: string | undefined;
  problem: string | undefined;
};

/** Who can open the answers. The passphrase has no name, so that the form does not send it; sealRequest.js uses it. */
function SealingFields({ page, passkeyOptions, choice = 'link', problem }: SealingProps) {
  const { label, choices, hints, passphrase, passkey } = page.messages.requestLinks.form.sealing;
  const values = ['link', ...(passkeyOptions ? ['passkey' as const] : []), 'passphrase', 'server'] as const;
  return (
    <div
      id="sealing-fields"
      class="js-only"
      data-link={hints.link}
      data-passkey={hints.passkey}
      data-passphrase={hints.passphrase}
      data-server={hints.server}
      data-insecure={`${hints.insecure} ${hints.server}`}
      data-passkey-options={JSON.stringify(passkeyOptions)}
      data-cancelled={passkey.cancelled}
      data-unable={passkey.unable}
    >
      <Select
        name="sealing"
        label={label}
        hint={hints.link}
        options={values.map((value) => ({ value, text: choices[value] }))}
        value={choice}
        problem={problem}
      />
      <p id="passkey-problem" class="hint field-error" role="alert" />
      <div id="opening-field" hidden>
        <div class="field">
          <label for="opening-passphrase">{passphrase}</label>
          <input
            id="opening-passphrase"
            type="password"
            autocomplete="new-password"
            minLength={12}
            required
            disabled
          />
        </div>
        <ShowTyped page={page} />
      </div>
    </div>
  );
}
