import { expect } from 'chai';
import { asBuilt } from './rules.ts';
import { scenarios } from './scenarios.ts';
import { search, searchVariant } from './search.ts';
import { wrongVariants } from './variants.ts';

describe('The model of the claim', () => {
  for (const scenario of scenarios)
    it(`keeps its promises in every order of ${scenario.name}`, () => {
      const { worlds, trace } = search(scenario, asBuilt);
      expect(trace?.join('\n')).to.equal(undefined);
      expect(worlds).to.be.greaterThan(200);
    });

  for (const [name, { symptom }] of Object.entries(wrongVariants))
    it(`finds ${name}`, () => {
      const { violation, trace = [] } = searchVariant(name);
      expect(violation, trace.join('\n')).to.include(symptom);
    });

  it('holds without the row lock, because the guard of the UPDATE is behind it', () => {
    for (const scenario of scenarios.slice(0, 3)) {
      const { violation } = search(scenario, { ...asBuilt, locks: false });
      expect(violation, scenario.name).to.equal(undefined);
    }
  });

  it('tells how a defect does harm, in as few sentences as possible', () => {
    expect(searchVariant('an answer before COMMIT').trace).to.eql([
      'Program A asks process 1.',
      'Process 1 begins a transaction for program A.',
      'Process 1 locks and reads the pushes.',
      'Process 1 decides: program A: claimed.',
      'Process 1 counts the view, and erases after the last one.',
      'Process 1 writes the audit rows and the nonces.',
      'Process 1 writes the notices, and answers at once.',
      'Now program A has the secret, and no committed view.',
    ]);
  });
});
