import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { chatMutants } from './mutants.ts';

const sources = join(import.meta.dirname, '..', '..', '..', 'src');

describe('The mistakes that the kit for chats must find', () => {
  it('can still be planted, each in one place', () => {
    const places = Object.entries(chatMutants).map(([name, { file, find }]) => {
      const count = readFileSync(join(sources, file), 'utf8').split(find).length - 1;
      return `${name}: ${count}`;
    });
    expect(places.filter((each) => !each.endsWith(': 1'))).to.eql([]);
  });
});
