export { providersMax, requestDueMinutes, requestReasonMax, requestSchema } from './create.ts';
export type { ListedRequest } from './find.ts';
export type { SecretRequest } from './request.ts';
export { createRequests, type Requests } from './requests.ts';
export { requestsTable } from './tables.ts';
