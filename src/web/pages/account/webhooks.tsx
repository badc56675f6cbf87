import type { Webhook } from '../../../domain/index.ts';
import { Done, Field, Form, Problem } from '../controls.tsx';
import { Entries } from '../list.tsx';
import type { Frame } from '../pageContext.ts';
import { When } from '../time.tsx';
import { Act, accountSection, ShownOnce } from './sections.tsx';

type Webhooks = {
  webhooks: Webhook[];
  /** The secret of a webhook that was just added. */
  secret?: string;
  done?: string | undefined;
  problem?: string | undefined;
  url?: string | undefined;
  problems?: Record<string, string>;
};

export function webhooksPage(
  frame: Frame,
  { webhooks, secret, done, problem, url, problems = {} }: Webhooks,
): string {
  const { words } = frame;
  return accountSection(frame, {
    section: 'webhooks',
    lead: words.webhooks.lead,
    scripts: ['copy.js'],
    children: (
      <>
        <Done text={done} />
        <Problem text={problem} />
        {secret && (
          <ShownOnce frame={frame} label={words.webhooks.secret} value={secret} copy={words.webhooks.copy} />
        )}
        <Entries
          none={words.webhooks.none}
          entries={webhooks.map((webhook) => ({
            title: webhook.url,
            lines: [
              `${words.webhooks.state}: ${words.webhooks.states[stateOf(webhook)]}`,
              <>
                {words.webhooks.added}: <When words={words} at={webhook.createdAt} />
              </>,
            ],
            actions: <Actions frame={frame} webhook={webhook} />,
          }))}
        />
        <Form frame={frame} action="/account/webhooks">
          <Field
            name="url"
            label={words.webhooks.url}
            type="url"
            placeholder="https://"
            required
            value={url}
            problem={problems.url && words.problem(problems.url)}
          />
          <button type="submit">{words.webhooks.add}</button>
        </Form>
      </>
    ),
  });
}

function Actions({ frame, webhook }: { frame: Frame; webhook: Webhook }) {
  const { enable, enableOf, remove, removeOf } = frame.words.webhooks;
  const { id, url, disabledAt } = webhook;
  return (
    <>
      {disabledAt === null ? null : (
        <Act frame={frame} action="/account/webhooks/enable" id={id} text={enable} label={enableOf(url)} />
      )}
      <Act
        frame={frame}
        action="/account/webhooks/remove"
        id={id}
        text={remove}
        label={removeOf(url)}
        danger
      />
    </>
  );
}

function stateOf({ disabledAt, failingSince }: Webhook): 'working' | 'failing' | 'disabled' {
  if (disabledAt !== null) return 'disabled';
  return failingSince === null ? 'working' : 'failing';
}
