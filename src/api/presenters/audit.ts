import type { AuditEntry, Place, ProviderIdentity, SecurityEvent } from '../../domain/index.ts';
import { messagesOf } from '../../locales/locales.ts';
import { isoTime } from '../../time.ts';

const en = messagesOf('en');

/** An entry in the audit log of a push. */
export function presentAuditRow(entry: AuditEntry) {
  const { ip, userAgent, referrer, createdAt, updatedAt, kind, openedBy, times, recipient, place } = entry;
  return {
    ip,
    user_agent: userAgent,
    referrer,
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
    kind,
    successful: !kind.startsWith('failed_'),
    ...(openedBy !== null && { opened_by: presentWay(openedBy, recipient) }),
    ...(times > 1 && { times }),
    ...(recipient && { recipient: { id: recipient.id, name: recipient.name } }),
    ...(place && { place: presentPlace(place) }),
  };
}

/** How a view was opened: by a code, if the address is named that it went to. */
const presentWay = (way: NonNullable<AuditEntry['openedBy']>, recipient: AuditEntry['recipient']) =>
  way === 'code' ? (`mail:${recipient?.name ?? ''}` as const) : way;

/** An entry in the security log of an account. */
export function presentSecurityEvent(event: SecurityEvent) {
  const { id, kind, detail, actor, ip, userAgent, place, times, createdAt, lastAt } = event;
  return {
    id,
    kind,
    detail,
    actor,
    ip,
    user_agent: userAgent,
    ...(place && { place: presentPlace(place) }),
    times,
    created_at: isoTime(createdAt),
    last_at: isoTime(lastAt),
  };
}

/** Who an account is at an identity provider. */
export const presentIdentity = ({ id, issuer, subject, label, email, ...times }: ProviderIdentity) => ({
  id,
  provider: label,
  issuer,
  subject,
  email,
  created_at: isoTime(times.createdAt),
  last_used_at: isoTime(times.lastUsedAt),
});

/** In English, as everything for programs. What is unknown is missing. */
function presentPlace(place: Place) {
  const { city, country } = en.placeNames(place);
  return {
    ...(city !== undefined && { city }),
    ...(country !== undefined && { country }),
    ...(place.countryCode !== null && { country_code: place.countryCode }),
  };
}

/** A place in one cell: `Berlin, Germany`. */
export const placeCell = ({ place }: AuditEntry) => place && en.place(place);
