import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SetupError } from '../../src/errors.ts';
import { messagesOf } from '../../src/locales/locales.ts';
import { readGeoDatabase } from '../../src/places/geoDatabase.ts';
import { createPlaces } from '../../src/places/places.ts';
import { cityRecord, geoDatabase, replaceFile } from '../harness/geoDatabase.ts';

const munich = cityRecord('DE', { de: 'Deutschland', en: 'Germany' }, { de: 'München', en: 'Munich' });
const lagos = cityRecord('NG', {}, { en: 'Lagos' });

describe('The places of addresses', () => {
  let folder: string;
  let path: string;
  let errors: unknown[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'places-'));
    path = join(folder, 'places.mmdb');
    errors = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = () => createPlaces(path, { onError: (error) => errors.push(error) });

  async function placesOf(bytes: Buffer) {
    await writeFile(path, bytes);
    const placeOf = await open().openPlaces();
    return (ip: string, locale: 'en' | 'de' = 'en') => {
      const place = placeOf(ip);
      return place && messagesOf(locale).place(place);
    };
  }

  it('are in the language of the reader, with countries by their code where they have no name', async () => {
    const place = await placesOf(
      geoDatabase({
        networks: {
          '203.0.113.0/24': munich,
          '2001:db8:1::/48': lagos,
          '192.0.2.0/24': cityRecord('GB', { de: 'Großbritannien', en: 'United Kingdom' }),
          '198.51.100.0/25': cityRecord('CH', {}),
          '198.51.100.128/25': { city: { names: { en: 'Atlantis' } } },
        },
      }),
    );
    expect(place('203.0.113.7')).to.equal('Munich, Germany');
    expect(place('203.0.113.7', 'de')).to.equal('München, Deutschland');
    expect(place('2001:db8:1::7')).to.equal('Lagos, Nigeria');
    expect(place('192.0.2.7', 'de')).to.equal('Großbritannien'); // Intl would say more
    expect(place('198.51.100.7', 'de')).to.equal('Schweiz');
    expect(place('198.51.100.200', 'de')).to.equal('Atlantis');
    expect(errors).to.deep.equal([]);
  });

  it('are unknown for networks that the database does not have, and for what is no address', async () => {
    const nowhere = {
      '192.0.2.0/24': { traits: { isp: 'Acme' } },
      '198.51.100.0/24': cityRecord('zz!', {}),
    };
    const place = await placesOf(geoDatabase({ networks: { '203.0.113.0/24': munich, ...nowhere } }));
    for (const ip of ['10.0.0.1', '127.0.0.1', '::1', 'fe80::1%eth0', '203.0.114.1', '2001:db8::1'])
      expect(place(ip), ip).to.equal(null);
    for (const ip of ['192.0.2.7', '198.51.100.7', '', '203.0.113', '203.0.113.7, 1', 'somewhere'])
      expect(place(ip), ip).to.equal(null);
    expect(errors).to.deep.equal([]);
  });

  it('do not take an IPv6 address for one of IPv4, where the database has those alone', async () => {
    const place = await placesOf(geoDatabase({ networks: { '32.0.0.0/8': munich }, ipVersion: 4 }));
    expect(place('32.1.2.3')).to.equal('Munich, Germany');
    expect(place('2001:db8::1')).to.equal(null);
  });

  it('come from the new file once it is replaced, without a restart', async () => {
    await writeFile(path, geoDatabase({ networks: { '203.0.113.0/24': munich } }));
    const places = open();
    const before = await places.openPlaces();
    await replaceFile(path, geoDatabase({ networks: { '203.0.113.0/24': lagos } }));
    const [after, same] = await Promise.all([places.openPlaces(), places.openPlaces()]);
    expect([before, after, same].map((placeOf) => placeOf('203.0.113.7')?.countryCode)).to.deep.equal([
      'DE',
      'NG',
      'NG',
    ]);
  });

  it('come from a file that was written anew in place, even with its old size and time', async () => {
    const inCountry = (code: string) => geoDatabase({ networks: { '203.0.113.0/24': cityRecord(code, {}) } });
    const write = async (code: string) => {
      await writeFile(path, inCountry(code));
      await utimes(path, 1, 1);
    };
    await write('DE');
    const places = open();
    await places.read();
    await write('NG');
    expect((await places.openPlaces())('203.0.113.7')?.countryCode).to.equal('NG');
  });

  it('still come from the previous file while the new one is broken or missing, which is reported once', async () => {
    const whole = geoDatabase({ networks: { '203.0.113.0/24': munich } });
    await writeFile(path, whole);
    const places = open();
    await places.read();
    const country = async () => (await places.openPlaces())('203.0.113.7')?.countryCode;
    for (const spoil of [() => replaceFile(path, whole.subarray(0, whole.length - 300)), () => rm(path)]) {
      errors = [];
      await spoil();
      expect([await country(), await country()]).to.deep.equal(['DE', 'DE']);
      expect(errors).to.have.length(1);
      expect(errors[0]).to.be.instanceOf(SetupError);
    }
    await replaceFile(path, geoDatabase({ networks: { '203.0.113.0/24': lagos } }));
    expect(await country()).to.equal('NG');
  });

  it('are unknown, not an error for the reader, where a record is damaged', async () => {
    const bytes = geoDatabase({ networks: { '203.0.113.0/24': munich } });
    const record = bytes.indexOf('city') - 2;
    bytes[record] = 0; // an extended type
    bytes[record + 1] = 0xff; // that there is not
    await writeFile(path, bytes);
    expect((await open().openPlaces())('203.0.113.7')).to.equal(null);
    expect(errors).to.have.length(1);
  });

  it('need a file that can be read, is whole, and has places', async () => {
    const problem = async () => {
      const error = await readGeoDatabase(path).catch((thrown: Error) => thrown);
      expect(error).to.be.instanceOf(SetupError);
      return (error as Error).message;
    };
    const named = `The file ${path} of GEOIP_DATABASE`;
    expect(await problem()).to.equal(`${named} cannot be read (ENOENT).`);
    const whole = geoDatabase({ networks: { '203.0.113.0/24': munich } });
    const broken = [
      Buffer.alloc(0),
      Buffer.from('no database'),
      whole.subarray(0, -200),
      whole.subarray(999),
    ];
    for (const bytes of broken) {
      await writeFile(path, bytes);
      expect(await problem()).to.equal(
        `${named} is not a database in MaxMind’s format (.mmdb), or it is damaged.`,
      );
    }
    await writeFile(path, geoDatabase({ networks: {}, type: 'GeoLite2-ASN' }));
    expect(await problem()).to.equal(
      `${named} is a GeoLite2-ASN, which has no places. Use a City or Country database.`,
    );
  });
});
