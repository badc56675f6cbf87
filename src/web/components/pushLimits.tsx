import type { ComponentChildren } from 'preact';
import { isExpired, type Push, pushFlagNames } from '../../domain/index.ts';
import type { PageContext } from '../pageContext.ts';
import { Time } from './time.tsx';

type PushLimitsProps = { page: PageContext; push: Push };

/** The limits of a push, its recipients, and its owner's note. */
export function PushLimits({ page: { messages }, push }: PushLimitsProps) {
  const { limits, views, ends } = messages.pushes;
  return (
    <>
      <h2>{limits.title}</h2>
      <dl class="summary-list">
        <Limit term={limits.views}>
          {views(push.viewsUsed, push.viewsMax)}
          <progress class="views-progress" max={push.viewsMax} value={push.viewsUsed} aria-hidden="true" />
        </Limit>
        <Limit term={isExpired(push) ? limits.ended : limits.ends}>
          <Time messages={messages} at={push.expiredOn ?? push.expiresAt} />
          {isExpired(push) || <p class="hint">{ends(push.expiresAt - push.now)}</p>}
        </Limit>
        <Limit term={limits.created}>
          <Time messages={messages} at={push.createdAt} />
        </Limit>
        {isExpired(push) || (
          <>
            <Limit term={limits.passphrase}>{push.hasPassphrase ? limits.needed : limits.notNeeded}</Limit>
            {pushFlagNames.toReversed().map((name) => (
              <Limit term={limits.flags[name].term}>{limits.flags[name][push[name] ? 'on' : 'off']}</Limit>
            ))}
          </>
        )}
        {push.note !== null && (
          <Limit term={limits.note}>
            <span class="preserve-lines">{push.note}</span>
          </Limit>
        )}
      </dl>
    </>
  );
}

const Limit = ({ term, children }: { term: string; children: ComponentChildren }) => (
  <>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </>
);
