import { readFile } from 'node:fs/promises';
import { isIP, isIPv6 } from 'node:net';
import { type CityResponse, Reader } from 'mmdb-lib';
import type { Place } from '../domain/index.ts';
import { SetupError } from '../errors.ts';

/** The separator between the search tree and the records, in bytes. */
const separatorBytes = 16;

/** A database of places, which is in memory as a whole. */
export type GeoDatabase = {
  /** What its maker calls it, such as `GeoLite2-City`. */
  type: string;
  builtAt: Date;
  /** Null if the address is unknown. Throws if its record is damaged. */
  placeOf(ip: string): Place | null;
};

/** Reads a file of GEOIP_DATABASE. Throws SetupError, which names both, if it cannot be used. */
export async function readGeoDatabase(path: string): Promise<GeoDatabase> {
  const file = `The file ${path} of GEOIP_DATABASE`;
  const bytes = await readFile(path).catch(({ code }: NodeJS.ErrnoException) => {
    throw new SetupError(`${file} cannot be read (${code}).`);
  });
  const reader = maybeReader(bytes);
  if (reader === undefined)
    throw new SetupError(`${file} is not a database in MaxMind’s format (.mmdb), or it is damaged.`);
  const { databaseType: type, buildEpoch: builtAt, ipVersion } = reader.metadata;
  if (!/city|country|enterprise/i.test(type))
    throw new SetupError(`${file} is a ${type}, which has no places. Use a City or Country database.`);
  return {
    type,
    builtAt,
    placeOf(ip) {
      // The reader takes any text, and looks an IPv6 address up as if it was IPv4 where there is nothing else.
      if (isIP(ip) === 0 || (ipVersion === 4 && isIPv6(ip))) return null;
      return toPlace(reader.get(ip));
    },
  };
}

/** Undefined if the bytes are not a whole database. */
function maybeReader(bytes: Buffer): Reader<CityResponse> | undefined {
  try {
    const reader = new Reader<CityResponse>(bytes);
    const { binaryFormatMajorVersion, searchTreeSize } = reader.metadata;
    const isWhole = binaryFormatMajorVersion === 2 && searchTreeSize + separatorBytes < bytes.length;
    return isWhole ? reader : undefined;
  } catch {
    return undefined;
  }
}

/** Null without a name in English or a code, such as for a network of which only the owner is known. */
function toPlace(record: CityResponse | null): Place | null {
  const city = { ...record?.city?.names };
  const country = { ...record?.country?.names };
  const code = record?.country?.iso_code ?? '';
  const countryCode = /^[A-Z]{2}$/.test(code) ? code : null;
  return (city.en ?? country.en ?? countryCode) ? { city, country, countryCode } : null;
}
