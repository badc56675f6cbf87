export { type Backlog, measureBacklog } from './backlog.ts';
export type * from './dependencies.ts';
export { noopObserver, noPlaces } from './dependencies.ts';
export { isPrivateHost, isPublicAddress } from './hosts.ts';
export { createKeyWatch } from './keyWatch.ts';
export { createLeases } from './leases.ts';
export { createOneTimeLinks, type OneTimeLinks } from './oneTimeLinks.ts';
export { keyChecksTable, leasesTable, oneTimeLinksTable } from './tables.ts';
export {
  asMessage,
  flag,
  hasAtMost,
  integer,
  integerWithin,
  isBlank,
  isOmitted,
  isTimeZone,
  optionalFlag,
  optionalInteger,
  optionalText,
  optionalTextOf,
  pageSize,
  parseInput,
  tooLong,
  wellFormedText,
} from './validation.ts';
