import type { MailedAddress, OpenRequestLink, RequestAnswer, RequestLink } from '../../domain/index.ts';
import type { Links } from '../../http/links.ts';
import { dayMs, isoTime } from '../../time.ts';
import type {
  OpenRequestResponse,
  RequestAnswerResponse,
  RequestLinkResponse,
} from '../schemas/requestLinks.ts';
import { presentMailState } from './push.ts';

/** A request link, for its account. */
export function presentRequestLink(
  link: RequestLink,
  links: Links,
  mailed: MailedAddress[] = [],
): RequestLinkResponse {
  const { id, urlToken, title, note, isUnreadable, accepts, state, createdAt, expiresAt } = link;
  return {
    id,
    url_token: urlToken,
    html_url: urlToken && links.request(urlToken),
    title,
    note,
    ...(isUnreadable && { unreadable: true as const }),
    accepts,
    files_bytes_max: link.bytesMax,
    allow_name: link.allowsName,
    passphrase: link.hasPassphrase ? '********' : null,
    answers: link.answersMax,
    answers_used: link.answersUsed,
    answers_expire_after_days: link.answerLifetimeMs / dayMs,
    state,
    ...(mailed.length > 0 && { mails: mailed.map(presentMailed) }),
    public_keys: link.publicKeys,
    wrapped_key: link.wrappedKey,
    created_at: isoTime(createdAt),
    expires_at: isoTime(expiresAt),
  };
}

const presentMailed = ({ address, state }: MailedAddress) => ({ address, ...presentMailState(state) });

/** An answer, for the account that asked. */
export function presentAnswer(answer: RequestAnswer, links: Links): RequestAnswerResponse {
  const { receipt, name, urlToken, sealed, isWaiting, createdAt, expiresAt } = answer;
  return {
    receipt,
    name,
    url_token: urlToken,
    html_url: urlToken && links.page({ urlToken }),
    answer_id: sealed?.answerId ?? null,
    sealed_key: sealed?.key ?? null,
    waiting: isWaiting,
    created_at: isoTime(createdAt),
    expires_at: isoTime(expiresAt),
  };
}

/** What an open request link asks for. */
export function presentOpenRequest(request: OpenRequestLink): OpenRequestResponse {
  const { title, note, asker, accepts, bytesMax, allowsName, hasPassphrase, expiresAt, publicKeys } = request;
  return {
    title,
    note,
    asked_by: asker.name,
    asked_by_confirmed: asker.isConfirmed,
    accepts,
    files_bytes_max: bytesMax,
    allow_name: allowsName,
    passphrase_required: hasPassphrase,
    encrypted_by: publicKeys === null ? 'server' : 'sender',
    public_keys: publicKeys,
    expires_at: isoTime(expiresAt),
  };
}
