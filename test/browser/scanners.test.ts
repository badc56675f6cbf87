import { expect } from 'chai';
import pLimit from 'p-limit';
import { onMariadb } from '../harness/database.ts';
import { type Site, startSite } from '../harness/site.ts';
import { drivenBrowsers, imitators, programs, type Visit } from './linkVisitors.ts';
import {
  type AnswerCost,
  type Cost,
  costOf,
  costOfRequest,
  limitsOfPassphrases,
  noAnswer,
  nothing,
} from './visits.ts';

// Browsers do not depend on the database, so this runs once.
const describeOnce = onMariadb ? describe : () => {};

describeOnce('Link scanners', () => {
  const scanners = Object.entries({ ...programs, ...drivenBrowsers });
  let site: Site;
  let costs: Map<
    string,
    { open: Promise<Cost>; behindPassphrase: Promise<Cost>; request: Promise<AnswerCost> }
  >;

  // Visits mostly wait, so some run at the same time.
  before(async function () {
    site = await startSite(this, limitsOfPassphrases);
    const some = pLimit(4);
    const inTurn = <Found>(visiting: () => Promise<Found>) => {
      const cost = some(visiting);
      cost.catch(() => {}); // its test reports it
      return cost;
    };
    const cost = (visit: Visit, protection: { passphrase?: string }) =>
      inTurn(() => costOf(site, visit, protection));
    costs = new Map(
      scanners.map(([name, visit]) => [
        name,
        {
          open: cost(visit, {}),
          behindPassphrase: cost(visit, { passphrase: 'open sesame' }),
          request: inTurn(() => costOfRequest(site, visit)),
        },
      ]),
    );
  });
  after(() => site?.stop());

  for (const [name] of scanners) {
    it(`spends no view on a scanner and leaves the secret to a person: ${name}`, async () => {
      expect(await costs.get(name)?.open).to.deep.equal(nothing);
    });

    it(`takes nothing that a scanner does for an attempt at the passphrase, tells the sender nothing, and lets the recipient in: ${name}`, async () => {
      expect(await costs.get(name)?.behindPassphrase).to.deep.equal(nothing);
    });

    it(`answers no request for a scanner, tells nobody, and leaves its place to a person: ${name}`, async () => {
      expect(await costs.get(name)?.request).to.deep.equal(noAnswer);
    });
  }

  it('opens the secret to a person who holds the button after all scanners without a browser were there', async () => {
    const address = await site.push({ expire_after_views: 1 });
    for (const visit of Object.values(programs)) await visit(address, site);
    const person = await site.browser.open();
    await person.goto(address);
    await person.hold('Hold to open');
    expect(await person.text()).to.include('tulip');
    expect(await site.viewsUsed(address)).to.equal(1);
    await person.close();
  });

  it('sends the answer of a machine that does what people do, which cannot be told from them', async () => {
    const { 'Chrome that holds the button with a mouse': visit } = imitators;
    const cost = visit && (await costOfRequest(site, visit));
    expect(cost).to.include({ answers: 1, person: 'is too late' });
  });
});
