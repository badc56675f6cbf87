import type { SecurityEvent } from '../../../domain/index.ts';
import { deviceLabel } from '../../../locales/devices.ts';
import { minuteMs } from '../../../time.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { ApproximatePlaces } from '../../components/clients.tsx';
import { List, Pagination, type Paging } from '../../components/list.tsx';
import { Time } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';

export const securityLogPath = '/account/security/log';

type SecurityLogPage = Paging & { events: SecurityEvent[] };

/** What happened to the sign-in of the account. */
export function securityLogPage(page: PageContext, { events, ...paging }: SecurityLogPage): string {
  const { account, securityLog: texts, pushes } = page.messages;
  return accountPage(page, {
    section: 'security',
    back: { path: '/account/security', text: account.security },
    title: texts.title,
    lead: texts.lead,
    children: (
      <>
        <List
          emptyText={texts.none}
          items={events.map((event) => ({ title: titleOf(page, event), details: detailsOf(page, event) }))}
        />
        <ApproximatePlaces page={page} rows={events} />
        <Pagination
          page={page}
          {...paging}
          texts={[pushes.newer, pushes.older]}
          pathOf={(other) => `${securityLogPath}?page=${other}`}
        />
      </>
    ),
  });
}

/** Events whose detail says with what somebody signed in; that of others is a name, which may be any word. */
const kindsWithWay: SecurityEvent['kind'][] = ['signed_in', 'sign_in_failed', 'step_up_failed'];

function titleOf({ messages }: PageContext, { kind, detail, times }: SecurityEvent) {
  const { kinds, ways } = messages.securityLog;
  const known: Record<string, string> = kindsWithWay.includes(kind) ? ways : {};
  const way = detail !== null && Object.hasOwn(known, detail) ? known[detail] : undefined;
  const name = kind.startsWith('factor_') && detail === 'otp' ? messages.factors.app : detail;
  return (
    <>
      {kinds[kind]}
      {way === undefined ? null : ` ${way}`}
      {way !== undefined || name === null ? null : (
        <>
          : <bdi>{name}</bdi>
        </>
      )}
      {times > 1 ? ` ×${times}` : null}
    </>
  );
}

function detailsOf({ messages }: PageContext, event: SecurityEvent) {
  const { actor, ip, place, userAgent, createdAt, lastAt } = event;
  const texts = messages.securityLog;
  const who = actor === 'operator' ? texts.byOperator : texts.byAdmin(actor ?? '');
  return [
    lastAt - createdAt >= minuteMs ? (
      <>
        <Time messages={messages} at={createdAt} /> – <Time messages={messages} at={lastAt} />
      </>
    ) : (
      <Time messages={messages} at={lastAt} />
    ),
    actor === null ? null : who,
    userAgent === '' ? null : deviceLabel(messages, userAgent),
    ip === '' ? null : `${messages.sessions.address}: ${messages.address(ip, place)}`,
  ];
}
