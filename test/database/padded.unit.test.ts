import { expect } from 'chai';
import { inList, padded } from '../../src/database/database.ts';

describe('A list in a statement', () => {
  it('has one of few lengths, and repeats its last item', () => {
    const lengths = Array.from({ length: 32 }, (_, index) => padded(new Array(index + 1).fill('x')).length);
    expect([...new Set(lengths)]).to.deep.equal([1, 2, 4, 8, 16, 32]);
    expect(padded(['a', 'b', 'c'])).to.deep.equal(['a', 'b', 'c', 'c']);
    expect(padded([])).to.deep.equal([]);
  });

  it('names each value that it binds', () => {
    const ids = ['a', 'b', 'c'].map((text) => Buffer.from(text));
    const { names, binds } = inList(ids);
    expect(names).to.equal('$in0, $in1, $in2, $in3');
    expect(Object.values(binds).map(String)).to.deep.equal(['a', 'b', 'c', 'c']);
  });
});
