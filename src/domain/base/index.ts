export { type Backlog, measureBacklog } from './backlog.ts';
export { createKeyWatch } from './keyWatch.ts';
export { createLeases } from './leases.ts';
export { noopObserver, type Observer } from './observer.ts';
export { createOneTimeLinks, type OneTimeLinks } from './oneTimeLinks.ts';
export { noPlaces, type OpenPlaces, type Place, type PlaceOf } from './places.ts';
export type {
  Bounds,
  DomainSettings,
  FileSettings,
  LimitSettings,
  PushSettings,
  Rate,
  SignInSettings,
  WebhookSettings,
} from './settings.ts';
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
