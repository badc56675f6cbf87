import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { abuses } from './hostileSockets.ts';

describe('The hostile sockets', () => {
  it('are as many kinds as the page on security says', () => {
    const page = readFileSync('docs/security.md', 'utf8');
    const said = [...page.matchAll(/(\d+) × 10,000 sockets|each of (\d+) kinds from 50/g)];
    const kinds = said.map(([, inTable, inText]) => Number(inTable ?? inText));
    expect(kinds).to.deep.equal(Array(2).fill(Object.keys(abuses).length));
  });
});
