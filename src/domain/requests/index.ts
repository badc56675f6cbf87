export { providersMax, requestDueMinutes, requestReasonMax, requestSchema } from './create.ts';
export type { ListedRequest } from './find.ts';
export type { RequestAnswer } from './links/answers.ts';
export { isOpenLink, type RequestLink } from './links/link.ts';
export { createRequestLinks, type RequestLinks } from './links/links.ts';
export type { MailedAddress, MailedRequestLink } from './links/mails.ts';
export type { OpenRequestLink } from './links/preview.ts';
export {
  passkeyThatOpens,
  type RequestLinkSchema,
  requestLinkAnswers,
  requestLinkMinutes,
  requestLinkTextMax,
} from './links/schema.ts';
export type { SecretRequest } from './request.ts';
export { createRequests, type Requests } from './requests.ts';
export {
  acceptedAnswers,
  requestAnswersTable,
  requestLinksTable,
  requestsTable,
} from './tables.ts';
