import { Field, Form, Problem } from '../controls.tsx';
import { renderPage } from '../layout.tsx';
import type { Frame } from '../pageContext.ts';

type SignIn = {
  email?: string | undefined;
  next?: string | undefined;
  problem?: string;
  allowsSignUp: boolean;
};

export function signInPage(frame: Frame, { email, next, problem, allowsSignUp }: SignIn): string {
  const { signIn } = frame.words;
  return renderPage(frame, {
    title: signIn.title,
    here: 'signIn',
    children: (
      <div class="sheet narrow">
        <h1>{signIn.title}</h1>
        <Problem text={problem} />
        <Form frame={frame} action="/sign-in">
          <Next to={next} />
          <Field
            name="email"
            label={signIn.email}
            type="email"
            autocomplete="username"
            required
            autofocus
            value={email}
          />
          <Field
            name="password"
            label={signIn.password}
            type="password"
            autocomplete="current-password"
            required
          />
          <button type="submit">{signIn.submit}</button>
        </Form>
        {allowsSignUp ? (
          <p class="after">
            {signIn.noAccount} <a href={pathWith(frame, '/sign-up', next)}>{signIn.toSignUp}</a>
          </p>
        ) : null}
      </div>
    ),
  });
}

type SignUp = {
  email?: string | undefined;
  next?: string | undefined;
  problem?: string | undefined;
  problems?: Record<string, string>;
};

export function signUpPage(frame: Frame, { email, next, problem, problems = {} }: SignUp): string {
  const { signIn, signUp, problem: say } = frame.words;
  return renderPage(frame, {
    title: signUp.title,
    here: 'signIn',
    children: (
      <div class="sheet narrow">
        <h1>{signUp.title}</h1>
        <p class="soft">{signUp.lead}</p>
        <Problem text={problem} />
        <Form frame={frame} action="/sign-up">
          <Next to={next} />
          <Field
            name="email"
            label={signIn.email}
            type="email"
            autocomplete="username"
            required
            autofocus
            value={email}
            problem={problems.email && say(problems.email)}
          />
          <Field
            name="password"
            label={signIn.password}
            type="password"
            autocomplete="new-password"
            minLength={12}
            required
            hint={signUp.passwordHow}
            problem={problems.password && say(problems.password)}
          />
          <button type="submit">{signUp.submit}</button>
        </Form>
        <p class="after">
          {signUp.hasAccount} <a href={pathWith(frame, '/sign-in', next)}>{signIn.title}</a>
        </p>
      </div>
    ),
  });
}

/** Where to go once signed in. */
function Next({ to }: { to: string | undefined }) {
  return to === undefined ? null : <input type="hidden" name="next" value={to} />;
}

/** The path of one of these pages, after which somebody goes on to `next`. */
export function pathWith({ path }: Frame, page: string, next: string | undefined): string {
  return path(next === undefined ? page : `${page}?next=${encodeURIComponent(next)}`);
}
