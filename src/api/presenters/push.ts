import {
  daysRemaining,
  expireAfterDays,
  isExpired,
  type ListedPush,
  type Push,
  type PushFile,
  type Revealed,
} from '../../domain/index.ts';
import type { Links } from '../../http/links.ts';
import { isoTime, maybeIsoTime } from '../../time.ts';
import type {
  ListedPushResponse,
  PushResponse,
  PushSettingsResponse,
  RevealedResponse,
} from '../schemas/push.ts';

/** A push without its payload. */
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
    created_at: isoTime(push.createdAt),
    expires_at: isoTime(push.expiresAt),
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
    expired_on: maybeIsoTime(push.expiredOn),
    deleted: push.deleted,
    deletable_by_viewer: push.deletableByViewer,
    retrieval_step: push.retrievalStep,
    kind: push.kind,
    ...(push.encrypted && { encrypted: true as const }),
    updated_at: isoTime(push.updatedAt),
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
        opened_at: maybeIsoTime(openedAt),
        last_opened_at: maybeIsoTime(lastOpenedAt),
      }),
    ),
  };
}

function presentFile({ filename, contentType, size, download }: PushFile, links: Links) {
  const url = download === null ? null : links.download(download);
  return { filename, content_type: contentType, size, url };
}

/** A push with its payload. */
export function presentRevealed({ push, payload }: Revealed, links: Links): RevealedResponse {
  return { ...presentPush(push, links), payload };
}
