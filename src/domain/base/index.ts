export { type Backlog, measureBacklog } from './backlog.ts';
export {
  flag,
  hasAtMost,
  integer,
  integerWithin,
  isBlank,
  isOmitted,
  optionalFlag,
  optionalInteger,
  optionalText,
  optionalTextOf,
  tooLong,
  wellFormedText,
} from './fields.ts';
export { createKeyWatch } from './keyWatch.ts';
export { createLeases } from './leases.ts';
export { noopObserver, type Observer } from './observer.ts';
export { createOneTimeLinks, type OneTimeLinks } from './oneTimeLinks.ts';
export { pageSize } from './page.ts';
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
export { isTimeZone } from './timeZone.ts';
export { asMessage, parseInput } from './validation.ts';
