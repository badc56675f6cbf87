import {
  acceptedAnswers,
  type MailedAddress,
  type PushSettings,
  type RequestAnswer,
  type RequestLink,
  requestLinkAnswers,
  requestLinkTextMax,
} from '../../domain/index.ts';
import { addressesIn } from '../../mailAddress.ts';
import { cardPage } from '../components/cardPage.tsx';
import { Checkbox, Select } from '../components/choices.tsx';
import { LinkField } from '../components/copy.tsx';
import { TextArea, TextField } from '../components/fields.tsx';
import { ActionButton, ButtonLink, Form, SubmitButton } from '../components/form.tsx';
import { List } from '../components/list.tsx';
import { untranslated } from '../components/longText.ts';
import { LabelledTime } from '../components/time.tsx';
import type { Fields } from '../forms.ts';
import { lifetimeChoices } from '../lifetimes.ts';
import type { PageContext } from '../pageContext.ts';

type NewRequestLinkPage = {
  settings: PushSettings;
  /** Whether answers may have files. */
  mayAttach: boolean;
  /** What was sent, if the form is shown again, and what is wrong with it. */
  entered?: Fields;
  problems?: Record<string, string>;
};

const expireChoices = ['5m', '30m', '1h', '4h', '12h', '1d', '2d', '3d', '7d', '14d', '30d', '60d', '90d'];
const units = { m: 'minute', h: 'hour', d: 'day' } as const;

/** The form for a request link. */
export function newRequestLinkPage(page: PageContext, form: NewRequestLinkPage): string {
  const { settings, mayAttach, entered = {}, problems = {} } = form;
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
    children: (
      <Form page={page} action="/requests/links/new">
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
        <p class="muted small">{texts.sealed}</p>
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

type RequestLinkPage = {
  link: RequestLink;
  mailed: MailedAddress[];
  answers: RequestAnswer[];
  /** The link itself; null where it cannot be decrypted. */
  address: string | null;
  success?: string | undefined;
};

/** A request link for its owner, with its answers. */
export function requestLinkPage(
  page: PageContext,
  { link, mailed, answers, address, success }: RequestLinkPage,
): string {
  const { requestLinks: texts } = page.messages;
  return cardPage(page, {
    title: link.title ?? texts.unreadable,
    heading: <bdi>{link.title ?? texts.unreadable}</bdi>,
    current: 'pushes',
    back: { path: '/requests', text: texts.back },
    scripts: ['copy.js'],
    success,
    children: (
      <>
        {link.note !== null && (
          <p class="preserve-lines" dir="auto">
            {link.note}
          </p>
        )}
        <div class="field">
          {linkDetails(page, link).map((line) => line !== null && <p class="hint">{line}</p>)}
        </div>
        {address !== null && link.state === 'open' && (
          <LinkField
            page={page}
            label={texts.link}
            link={address}
            hint={texts.linkHint}
            copyText={texts.copy}
          />
        )}
        {mailed.map((each) => (
          <p class="hint">
            <bdi>{each.address}</bdi>: {page.messages.pushes.byMail[each.state.is]}{' '}
            {each.state.reason && <bdi>{each.state.reason}</bdi>}
          </p>
        ))}
        {link.state === 'open' && (
          <ActionButton
            page={page}
            action="/requests/links/close"
            id={link.id}
            text={texts.close}
            label={texts.close}
            danger
            confirmation={{ hint: texts.closeHint, text: texts.closeConfirm }}
          />
        )}
        <section>
          <h2>{texts.answers}</h2>
          {answers.length > 0 && <p class="muted">{texts.receiptHint}</p>}
          <List emptyText={texts.noAnswers} items={answers.map((answer) => answerItem(page, answer))} />
        </section>
      </>
    ),
  });
}

function answerItem(page: PageContext, { receipt, name, urlToken, isWaiting, createdAt }: RequestAnswer) {
  const { messages } = page;
  const texts = messages.requestLinks;
  return {
    title: (
      <>
        {texts.receipt} <span {...untranslated}>{receipt ?? '–'}</span>
      </>
    ),
    details: [
      name && (
        <>
          {texts.from}: <bdi>{name}</bdi>
        </>
      ),
      <LabelledTime messages={messages} label={texts.came} at={createdAt} />,
      isWaiting ? texts.waiting : texts.over,
    ],
    actions: urlToken !== null && isWaiting && (
      <ButtonLink
        class="secondary"
        href={page.path(`/pushes/${urlToken}`)}
        text={texts.open}
        aria-label={texts.openAnswer(receipt ?? '')}
      />
    ),
  };
}

/** The state of a link, in lines. */
export function linkDetails({ messages }: PageContext, link: RequestLink) {
  const { states, answersOf, until } = messages.requestLinks;
  const { state, answersUsed, answersMax, expiresAt } = link;
  return [
    `${states[state]} · ${answersOf(answersUsed, answersMax)}`,
    state === 'open' ? <LabelledTime messages={messages} label={until} at={expiresAt} /> : null,
  ];
}
