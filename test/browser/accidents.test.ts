import { expect } from 'chai';
import { onMariadb } from '../harness/database.ts';
import { type Site, startSite } from '../harness/site.ts';
import { accidents, sufferAccident } from './accidents.ts';

// Browsers do not depend on the database, so this runs once.
const describeOnce = onMariadb ? describe : () => {};

describeOnce('Accidents to a secret on the screen', () => {
  let site: Site;

  before(async function () {
    site = await startSite(this);
  });
  after(() => site?.stop());

  for (const accident of accidents)
    it(`use one view, and show ${accident.sees}: ${accident.name}`, async () => {
      expect(await sufferAccident(site, accident)).to.deep.equal({ views: 1, sees: accident.sees });
    });
});
