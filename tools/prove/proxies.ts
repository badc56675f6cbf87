import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Experiment } from './experiment.ts';

const root = join(import.meta.dirname, '..', '..');
const uploadMegabytes = 100;

/** Runs the tests of the examples for proxies with the largest upload. Those whose program is missing are skipped. */
export const proxies: Experiment = {
  claim: 'Each example for a proxy serves HTTP/2 over TLS, tells clients apart, and passes 100 MB on.',
  async run() {
    const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [mocha, '--reporter', 'json', 'test/deploy/proxies.test.ts'],
      {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, UPLOAD_MEGABYTES: String(uploadMegabytes) },
        maxBuffer: 2 ** 26,
      },
    );
    const report: Report = JSON.parse(stdout.slice(stdout.indexOf('{\n')));
    const failures = report.failures.map(({ fullTitle, err }) => `${fullTitle}\n${err.message}`);
    return {
      figures: {
        megabytes: uploadMegabytes,
        passed: report.passes.length,
        ...(report.pending.length > 0 && {
          skipped: report.pending.map(({ fullTitle }) => fullTitle).join(', '),
        }),
      },
      failures: status === 0 || failures.length > 0 ? failures : [`the tests did not run: ${stderr}`],
    };
  },
};

type Test = { fullTitle: string; err: { message: string } };
type Report = { passes: Test[]; pending: Test[]; failures: Test[] };
