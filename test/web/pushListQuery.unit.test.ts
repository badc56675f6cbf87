import { expect } from 'chai';
import {
  pushListPath,
  readChosen,
  readPushListQuery,
  selectionPath,
  toChosenText,
  toQueryString,
} from '../../src/web/pushListQuery.ts';

const read = (query: string) => readPushListQuery(new URLSearchParams(query));

describe('The address of the list of pushes', () => {
  it('holds what differs from the list that is shown first', () => {
    expect(pushListPath(read(''))).to.equal('/pushes');
    const before = `1700000000000-${'0'.repeat(32)}`;
    const query = `state=expired&search=a%26b+c&recipient=Zo%C3%AB&kind=url&sort=ends_latest&before=${before}`;
    expect(toQueryString(read(query))).to.equal(query);
    expect(pushListPath(read(query), { page: '2' })).to.equal(`/pushes?${query}&page=2`);
    expect(pushListPath(read('state=active&sort=newest&kind='), { page: '2' })).to.equal('/pushes?page=2');
  });

  it('is read whatever it holds', () => {
    expect(
      read('state=x&search=+&recipient=%FF&kind=toString&sort=newest&sort=oldest&before=1-x'),
    ).to.deep.equal({
      state: 'active',
      search: '',
      recipient: '\ufffd',
      kind: undefined,
      sort: 'newest',
      before: '',
    });
  });

  it('goes along with the question about a push, and back', () => {
    const query = 'search=a%26b&sort=oldest';
    const path = selectionPath('expire', '0'.repeat(32), read(query));
    const { searchParams, pathname } = new URL(path, 'http://push.test');
    expect(pathname).to.equal('/pushes/selected');
    expect(searchParams.get('push')).to.equal('0'.repeat(32));
    const chosen = [
      { id: '0'.repeat(32), expiresAt: 1_700_000_000_000 },
      { id: 'x', expiresAt: 0 },
    ];
    expect(readChosen(chosen.map(toChosenText).join())).to.deep.equal(chosen);
    expect(readChosen(undefined)).to.deep.equal([{ id: '', expiresAt: 0 }]);
    expect(pushListPath(read(searchParams.get('list') ?? ''))).to.equal(`/pushes?${query}`);
  });
});
