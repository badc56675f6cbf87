import {
  type AuditEntry,
  daysRemaining,
  expireAfterDays,
  isExpired,
  type ListedPush,
  type Push,
  type PushFile,
  type Revealed,
  type RotatedSecret,
  type Webhook,
  type WebhookDelivery,
} from '../domain/index.ts';
import type { Links } from '../http/links.ts';
import type {
  DeliveryResponse,
  ListedPushResponse,
  PushResponse,
  PushSettingsResponse,
  RevealedResponse,
  RotatedSecretResponse,
  WebhookResponse,
} from './schemas.ts';

/** Times are ISO 8601 in UTC with milliseconds. */
export function presentPush(push: Push, links: Links): PushResponse {
  return {
    url_token: push.urlToken,
    html_url: links.page(push),
    json_url: links.json(push),
    ...presentSettings(push, links),
  };
}

/** A push in its owner's list. One that cannot be decrypted has no link. */
export function presentListed({ urlToken, ...push }: ListedPush, links: Links): ListedPushResponse {
  return urlToken === null
    ? { url_token: null, html_url: null, json_url: null, ...presentSettings(push, links), unreadable: true }
    : presentPush({ ...push, urlToken }, links);
}

/** Everything but the link. */
function presentSettings(push: Omit<Push, 'urlToken'>, links: Links): PushSettingsResponse {
  const expired = isExpired(push);
  return {
    created_at: iso(push.createdAt),
    expires_at: iso(push.expiresAt),
    views_remaining: Math.max(0, push.viewsMax - push.viewsUsed),
    views_total: push.viewsMax,
    files: push.files.map((file) => presentFile(file, links)),
    passphrase: push.hasPassphrase && !expired ? '********' : null,
    name: push.name,
    note: push.note,
    expire_after_days: expireAfterDays(push),
    expire_after_views: push.viewsMax,
    days_remaining: daysRemaining(push),
    expired,
    expired_on: push.expiredOn === null ? null : iso(push.expiredOn),
    deleted: push.deleted,
    deletable_by_viewer: push.deletableByViewer,
    retrieval_step: push.retrievalStep,
    kind: push.kind,
    updated_at: iso(push.updatedAt),
    ...presentRecipients(push, links),
    ...(push.isUnreadable && { unreadable: true as const }),
  };
}

function presentRecipients(push: Omit<Push, 'urlToken'>, links: Links) {
  if (push.recipients.length === 0) return {};
  const expired = isExpired(push);
  return {
    recipients: push.recipients.map(
      ({ id, name, urlToken, viewsMax, viewsUsed, openedAt, lastOpenedAt }) => ({
        id,
        name,
        html_url: urlToken && links.page({ urlToken }),
        json_url: urlToken && links.json({ urlToken }),
        views_remaining: expired ? 0 : viewsMax - viewsUsed,
        views_total: viewsMax,
        opened_at: openedAt === null ? null : iso(openedAt),
        last_opened_at: lastOpenedAt === null ? null : iso(lastOpenedAt),
      }),
    ),
  };
}

function presentFile({ filename, contentType, size, download }: PushFile, links: Links) {
  const url = download === null ? null : links.download(download);
  return { filename, content_type: contentType, size, url };
}

export function presentRevealed({ push, payload }: Revealed, links: Links): RevealedResponse {
  return { ...presentPush(push, links), payload };
}

export function presentAuditRow(entry: AuditEntry) {
  const { ip, userAgent, referrer, createdAt, updatedAt, kind, openedBy, times, recipient } = entry;
  return {
    ip,
    user_agent: userAgent,
    referrer,
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
    kind,
    successful: !kind.startsWith('failed_'),
    ...(openedBy !== null && { opened_by: openedBy }),
    ...(times > 1 && { times }),
    ...(recipient && { recipient: { id: recipient.id, name: recipient.name } }),
  };
}

export function presentWebhook({
  id,
  url,
  types,
  createdAt,
  disabledAt,
  failingSince,
}: Webhook): WebhookResponse {
  return {
    id,
    url,
    ...(url === null && { unreadable: true as const }),
    types,
    created_at: iso(createdAt),
    disabled: disabledAt !== null,
    failing_since: failingSince === null ? null : iso(failingSince),
  };
}

export function presentRotatedSecret(
  id: string,
  { secret, previousSecretUntil }: RotatedSecret,
): RotatedSecretResponse {
  return { id, secret, previous_secret_until: iso(previousSecretUntil) };
}

export function presentDelivery(delivery: WebhookDelivery): DeliveryResponse {
  const { id, event, times, happenedAt, state, attempts, lastProblem, nextAttemptAt } = delivery;
  return {
    id,
    event: event === 'burned' ? 'deleted' : event, // outside the domain, it does not matter by whom
    times,
    happened_at: iso(happenedAt),
    state,
    attempts,
    last_problem: lastProblem,
    next_attempt_at: nextAttemptAt === null ? null : iso(nextAttemptAt),
  };
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
