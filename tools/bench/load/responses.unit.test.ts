import { expect } from 'chai';
import { takeResponse } from './responses.ts';

const sized = 'HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\ntulip';
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ntul\r\n2\r\nip\r\n0\r\n\r\n';

describe('The parser of responses', () => {
  for (const [form, received] of Object.entries({ sized, chunked })) {
    it(`takes a ${form} response once all of it has come, and leaves what follows`, () => {
      for (let length = 0; length < received.length; length++)
        expect(takeResponse(received.slice(0, length)))
          .to.have.property('needed')
          .within(length + 1, received.length);
      const taken = takeResponse(`${received}HTTP/1.1`);
      expect(taken).to.deep.include({ rest: 'HTTP/1.1', closes: false });
      expect(taken).to.have.nested.property('response.body', 'tulip');
    });
  }

  it('knows from the head of a sized response how long it is going to be', () => {
    expect(takeResponse(sized.slice(0, -4))).to.deep.equal({ needed: sized.length });
  });

  it('takes a response that ends with its connection', () => {
    const received = 'HTTP/1.0 200 OK\r\n\r\ntulip';
    expect(takeResponse(received)).to.have.property('needed', received.length + 1);
    const taken = takeResponse(received, true);
    expect(taken).to.have.property('closes', true);
    expect(taken).to.have.property('response').that.includes({ status: 200, body: 'tulip' });
  });

  it('takes a response without a body', () => {
    expect(takeResponse('HTTP/1.1 204 No Content\r\n\r\n'))
      .to.have.property('response')
      .that.includes({ status: 204, body: '' });
  });
});
