import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { startStallProbe } from './stallProbe.ts';

const server = `require('node:http').createServer((_, response) => response.end())
  .listen(0, '127.0.0.1', function () { process.stdout.write(String(this.address().port)); })`;

describe('The probe of stalls', () => {
  it('counts what a service that has died does not answer', async () => {
    const service = spawn(process.execPath, ['-e', server], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = await once(service.stdout, 'data');
    const probe = await startStallProbe({ port: Number(port), pid: Number(service.pid) });
    const ended = once(service, 'exit');
    service.kill('SIGKILL');
    await ended;
    const { stall } = await probe.measure('its absence', async () => {});
    await probe.stop();
    expect(stall.failed).to.be.above(0);
  });
});
