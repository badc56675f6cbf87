import { expect } from 'chai';
import { inList, padded } from '../../src/database/database.ts';

describe('A list in a statement', () => {
  it('has the size of a batch, and repeats its last item', () => {
    const lengths = Array.from({ length: 32 }, (_, index) => padded(new Array(index + 1).fill('x')).length);
    expect([...new Set(lengths)]).to.deep.equal([1, 2, 3, 4, 6, 8, 12, 16, 24, 32]);
    expect(padded([1, 2, 3, 4, 5])).to.deep.equal([1, 2, 3, 4, 5, 5]);
    expect(padded([])).to.deep.equal([]);
  });

  it('names each value that it binds', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'].map((text) => Buffer.from(text));
    const { names, binds } = inList(ids);
    expect(names).to.equal('$in0, $in1, $in2, $in3, $in4, $in5');
    expect(Object.values(binds).map(String)).to.deep.equal(['a', 'b', 'c', 'd', 'e', 'e']);
  });
});
