import { maybeSpeakerOf, type NoticeChoice, type Person } from '../../../domain/index.ts';
import { locales, wordsOf } from '../../locales/locales.ts';
import { chats } from '../chats.ts';
import { Done, Field, Form, Problem, Select } from '../controls.tsx';
import { Notices } from '../newPush.tsx';
import type { Frame } from '../pageContext.ts';
import { accountSection } from './sections.tsx';

type General = {
  person: Person;
  notices: NoticeChoice;
  hasPassword: boolean;
  /** How the account is called. */
  called: string;
  done?: string | undefined;
  problem?: string | undefined;
  problems?: Record<string, string>;
};
type Part = General & { frame: Frame; problems: Record<string, string> };

export function generalPage(frame: Frame, general: General): string {
  const part = { frame, problems: {}, ...general };
  return accountSection(frame, {
    section: 'general',
    lead: frame.words.account.signedInAs(general.called),
    children: (
      <>
        <Done text={general.done} />
        <Problem text={general.problem} />
        <Form frame={frame} action="/sign-out" class="field">
          <button type="submit" class="plain">
            {frame.words.frame.signOut}
          </button>
        </Form>
        <Language {...part} />
        <NoticeDefaults {...part} />
        {maybeSpeakerOf(general.person.email) === undefined ? <Password {...part} /> : <ChatMade {...part} />}
        <Erase {...part} />
      </>
    ),
  });
}

function Language({ frame, person }: Part) {
  const { account } = frame.words;
  const options = locales.map((value) => ({ value, text: wordsOf(value).language }));
  return (
    <section>
      <h2>{account.language}</h2>
      <Form frame={frame} action="/account/language">
        <Select
          name="language"
          label={account.language}
          value={person.locale ?? ''}
          options={[{ value: '', text: account.languageOfBrowser }, ...options]}
        />
        <button type="submit" class="plain">
          {account.save}
        </button>
      </Form>
    </section>
  );
}

function NoticeDefaults({ frame, notices }: Part) {
  const { account } = frame.words;
  return (
    <section>
      <h2>{account.noticesTitle}</h2>
      <Form frame={frame} action="/account/notices">
        <Notices frame={frame} choice={notices} label={account.noticesLead} />
        <button type="submit" class="plain">
          {account.save}
        </button>
      </Form>
    </section>
  );
}

function Password({ frame, person, hasPassword, problems }: Part) {
  const { account, signUp, problem } = frame.words;
  return (
    <section>
      <h2>{account.passwordTitle}</h2>
      <Form frame={frame} action="/account/password">
        <input type="hidden" name="email" autocomplete="username" value={person.email} />
        {hasPassword ? (
          <Field
            name="current"
            label={account.current}
            type="password"
            autocomplete="current-password"
            required
            problem={problems.current && problem(problems.current)}
          />
        ) : null}
        <Field
          name="next"
          label={account.next}
          type="password"
          autocomplete="new-password"
          minLength={12}
          required
          hint={signUp.passwordHow}
          problem={problems.password && problem(problems.password)}
        />
        <button type="submit" class="plain">
          {account.change}
        </button>
      </Form>
    </section>
  );
}

/** Nobody signs in with an account that has no e-mail address. */
function ChatMade({ frame, person, called }: Part) {
  const { chatTitle, chatMade } = frame.words.account;
  const { platform = 'slack' } = maybeSpeakerOf(person.email) ?? {};
  return (
    <section>
      <h2>{chatTitle}</h2>
      <p>{chatMade(called, chats[platform].connect)}</p>
    </section>
  );
}

function Erase({ frame, person, problems }: Part) {
  const { account } = frame.words;
  return (
    <section>
      <h2>{account.deleteTitle}</h2>
      <p>{account.deleteHow}</p>
      <Form frame={frame} action="/account/delete">
        <Field
          name="confirm"
          label={
            maybeSpeakerOf(person.email) === undefined
              ? account.deleteConfirm
              : account.deleteConfirmName(person.email)
          }
          autocomplete="off"
          required
          problem={problems.confirm}
        />
        <button type="submit" class="danger">
          {account.delete}
        </button>
      </Form>
    </section>
  );
}
