/** The names of something, by language: `{ en: 'Munich', de: 'München' }`. Any may be missing. */
type Names = Partial<Record<string, string>>;

/** Roughly where an address is. `countryCode` is that of ISO 3166-1. */
export type Place = { city: Names; country: Names; countryCode: string | null };

/** Null for an address whose place is unknown. */
export type PlaceOf = (ip: string) => Place | null;

/** Opens what knows the places of addresses, for one page of rows. Adapters implement it; it does not fail. */
export type OpenPlaces = () => Promise<PlaceOf>;

/** For a service that knows no places. */
export const noPlaces: OpenPlaces = async () => () => null;
