import {
  daysRemaining,
  expireAfterDays,
  isExpired,
  type ListedPush,
  type MailState,
  type Push,
  type PushFile,
  type PushRecipient,
  type Revealed,
} from '../../domain/index.ts';
import type { Links } from '../../http/links.ts';
import { utf8Text } from '../../text.ts';
import { isoTime, maybeIsoTime } from '../../time.ts';
import { flagFields } from '../flags.ts';
import type {
  NamedPushResponse,
  PushResponse,
  PushSettingsResponse,
  RevealedResponse,
} from '../schemas/push.ts';

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

/** A push without its payload, as the domain shows it to the caller. */
export function presentPush(push: ListedPush, links: Links): NamedPushResponse {
  if (push.urlToken !== null) return presentLinked(push, links);
  return {
    url_token: null,
    html_url: null,
    json_url: null,
    ...presentSettings(push, links),
    url_token_sha256: push.urlTokenSha256,
  };
}

/** Everything but the link. */
function presentSettings(push: ListedPush, links: Links): PushSettingsResponse {
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
    ...flagFields((name) => push[name]),
    kind: push.kind,
    ...(push.encrypted && { encrypted: true as const }),
    updated_at: isoTime(push.updatedAt),
    ...presentRecipients(push, links),
    ...(push.isUnreadable && { unreadable: true as const }),
  };
}

function presentRecipients(push: ListedPush, links: Links) {
  if (push.recipients.length === 0) return {};
  const expired = isExpired(push);
  return {
    recipients: push.recipients.map(
      ({ id, name, mail, urlToken, viewsMax, viewsUsed, openedAt, lastOpenedAt }) => ({
        id,
        name,
        ...(mail && { mail: presentMail(mail) }),
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

const presentMail = ({ state, needsCode }: NonNullable<PushRecipient['mail']>) => ({
  ...(state === null ? { state, reason: null } : presentMailState(state)),
  code: needsCode,
});

const mailStates = {
  waiting: 'waiting',
  handedOver: 'handed_over',
  refused: 'refused',
  ended: 'refused',
} as const;

/** The API calls a mail refused, too, that nobody tried to send, and says why. */
export const presentMailState = ({ is, reason }: NonNullable<MailState>) => ({
  state: mailStates[is],
  reason: is === 'ended' ? 'the link had ended before the mail left' : reason,
});

function presentFile({ filename, contentType, size, download }: PushFile, links: Links) {
  return { filename, content_type: contentType, size, url: download && links.download(download) };
}

/** A push with its payload. */
export function presentRevealed({ push, payload, sender }: Revealed<Buffer>, links: Links): RevealedResponse {
  return Object.assign(presentLinked(push, links), {
    payload: payload && utf8Text(payload),
    ...(sender && { sender }),
  });
}
