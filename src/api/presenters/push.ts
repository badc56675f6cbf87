import {
  type Caller,
  daysRemaining,
  expireAfterDays,
  isExpired,
  type ListedPush,
  type Push,
  type PushFile,
  type Revealed,
  seesLinks,
} from '../../domain/index.ts';
import type { Links } from '../../http/links.ts';
import { isoTime, maybeIsoTime } from '../../time.ts';
import { flagFields } from '../flags.ts';
import type {
  NamedPushResponse,
  PushResponse,
  PushSettingsResponse,
  RevealedResponse,
} from '../schemas/push.ts';
import { textFor } from './text.ts';

/** A push that was just created, or may be opened, with its link. */
export function presentLinked(push: Push, links: Links): PushResponse {
  const { urlToken } = push;
  return {
    url_token: urlToken,
    html_url: links.page({ urlToken }),
    json_url: links.json({ urlToken }),
    ...presentSettings(push, links),
    url_token_sha256: push.urlTokenSha256,
  };
}

/** A push without its payload. It has links for a caller who may see them, unless it cannot be decrypted. */
export function presentPush(push: ListedPush, links: Links, caller: Caller): NamedPushResponse {
  const isShown = seesLinks(caller);
  if (push.urlToken !== null && isShown) return presentLinked(push, links);
  return {
    url_token: null,
    html_url: null,
    json_url: null,
    ...presentSettings(push, isShown ? links : null),
    url_token_sha256: push.urlTokenSha256,
  };
}

/** Everything but the link. Without `links`, it has no others either, and no text that could be one. */
function presentSettings(push: ListedPush, links: Links | null): PushSettingsResponse {
  const expired = isExpired(push);
  const text = textFor(links !== null);
  return {
    created_at: isoTime(push.createdAt),
    expires_at: isoTime(push.expiresAt),
    views_remaining: Math.max(0, push.viewsMax - push.viewsUsed),
    views_total: push.viewsMax,
    files: push.files.map((file) => presentFile(file, links)),
    passphrase: push.hasPassphrase && !expired ? '********' : null,
    name: text(push.name),
    note: text(push.note),
    expire_after_days: expireAfterDays(push),
    expire_after_views: push.viewsMax,
    days_remaining: daysRemaining(push),
    expired,
    expired_on: maybeIsoTime(push.expiredOn),
    deleted: push.deleted,
    ...flagFields((name) => push[name]),
    kind: push.kind,
    ...(push.encrypted && { encrypted: true as const }),
    updated_at: isoTime(push.updatedAt),
    ...presentRecipients(push, links),
    ...(push.isUnreadable && { unreadable: true as const }),
  };
}

function presentRecipients(push: ListedPush, links: Links | null) {
  if (push.recipients.length === 0) return {};
  const expired = isExpired(push);
  const text = textFor(links !== null);
  return {
    recipients: push.recipients.map(
      ({ id, name, urlToken, viewsMax, viewsUsed, openedAt, lastOpenedAt }) => ({
        id,
        name: text(name),
        html_url: links && urlToken && links.page({ urlToken }),
        json_url: links && urlToken && links.json({ urlToken }),
        views_remaining: expired ? 0 : viewsMax - viewsUsed,
        views_total: viewsMax,
        opened_at: maybeIsoTime(openedAt),
        last_opened_at: maybeIsoTime(lastOpenedAt),
      }),
    ),
  };
}

function presentFile({ filename, contentType, size, download }: PushFile, links: Links | null) {
  const url = links && download && links.download(download);
  return { filename: textFor(links !== null)(filename), content_type: contentType, size, url };
}

/** A push with its payload. */
export function presentRevealed({ push, payload, sender }: Revealed, links: Links): RevealedResponse {
  return Object.assign(presentLinked(push, links), { payload, ...(sender && { sender }) });
}
