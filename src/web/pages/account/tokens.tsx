import type { ApiTokenEntry } from '../../../domain/index.ts';
import { Done, Field, Form, Problem } from '../controls.tsx';
import { Entries } from '../list.tsx';
import type { Frame } from '../pageContext.ts';
import { When } from '../time.tsx';
import { Act, accountSection, ShownOnce } from './sections.tsx';

type Tokens = {
  tokens: ApiTokenEntry[];
  /** A token that was just made. */
  made?: { name: string; token: string };
  done?: string | undefined;
  problem?: string | undefined;
  name?: string | undefined;
  problems?: Record<string, string>;
};

export function tokensPage(
  frame: Frame,
  { tokens, made, done, problem, name, problems = {} }: Tokens,
): string {
  const { words } = frame;
  return accountSection(frame, {
    section: 'tokens',
    lead: words.tokens.lead,
    scripts: ['copy.js'],
    children: (
      <>
        <Done text={done} />
        <Problem text={problem} />
        {made && (
          <ShownOnce
            frame={frame}
            label={`${words.tokens.token}: ${made.name}`}
            value={made.token}
            copy={words.tokens.copy}
          />
        )}
        <Entries
          none={words.tokens.none}
          entries={tokens.map((token) => ({
            title: token.name,
            lines: [
              `…${token.hint}`,
              <>
                {words.tokens.made}: <When words={words} at={token.createdAt} />
              </>,
              <>
                {words.tokens.used}:{' '}
                {token.lastUsedAt === null ? (
                  words.tokens.never
                ) : (
                  <When words={words} at={token.lastUsedAt} />
                )}
              </>,
            ],
            actions: (
              <Act
                frame={frame}
                action="/account/tokens/revoke"
                id={token.name}
                text={words.tokens.revoke}
                label={words.tokens.revokeOf(token.name)}
                danger
              />
            ),
          }))}
        />
        <Form frame={frame} action="/account/tokens">
          <Field
            name="name"
            label={words.tokens.name}
            hint={words.tokens.nameHow}
            maxLength={100}
            required
            value={name}
            problem={problems.name && words.problem(problems.name)}
          />
          <button type="submit">{words.tokens.create}</button>
        </Form>
      </>
    ),
  });
}
