import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { createClient } from '../harness/api.ts';
import { freshDatabase } from '../harness/database.ts';
import { newSharedSettings, startProcess } from '../harness/process.ts';
import { requireProgram } from '../harness/programs.ts';

const folder = join(import.meta.dirname, '..', '..', 'deploy', 'monitoring');
const read = (name: string) => readFile(join(folder, name), 'utf8');

type Rules = { groups: { rules: { alert: string }[] }[] };
type Cases = { tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[] };

describe('The rules for Prometheus', () => {
  const run = (program: string, args: string[]) =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

  it('alert in each case that their tests describe, and in no other', function () {
    const promtool = requireProgram(this, 'promtool');
    expect(run(promtool, ['check', 'rules', 'alerts.yaml'])).to.contain('SUCCESS');
    expect(run(promtool, ['test', 'rules', 'alerts.test.yaml'])).to.contain('SUCCESS');
  });

  it('have a case in which each alert fires, and one in which it does not', async () => {
    const { groups }: Rules = parse(await read('alerts.yaml'));
    const { tests }: Cases = parse(await read('alerts.test.yaml'));
    const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
    const namedWith = (fires: boolean) =>
      cases.filter(({ exp_alerts }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname);
    expect(new Set(namedWith(true))).to.deep.equal(new Set(names));
    expect(new Set(namedWith(false))).to.deep.equal(new Set(names));
  });

  it('are read from a configuration that Prometheus accepts', async function () {
    const promtool = requireProgram(this, 'promtool');
    const temp = await mkdtemp(join(tmpdir(), 'prometheus-'));
    await writeFile(join(temp, 'token'), 'tulip');
    const config = (await read('prometheus.yaml')).replace(
      '/etc/prometheus/hushpush_token',
      join(temp, 'token'),
    );
    await writeFile(join(temp, 'prometheus.yaml'), config);
    await writeFile(join(temp, 'alerts.yaml'), await read('alerts.yaml'));
    expect(run(promtool, ['check', 'config', join(temp, 'prometheus.yaml')])).to.contain(
      '1 rule files found',
    );
    await rm(temp, { recursive: true });
  });

  it('and the dashboard name only metrics that a service exports', async () => {
    const database = await freshDatabase();
    const service = await startProcess(newSharedSettings(database.url));
    const client = createClient(service.port);
    try {
      const { text } = await client.get('/metrics');
      expect(text).to.match(/^hushpush_folder_free_bytes\{folder="database"\} [1-9]\d{6,}$/m);
      expect(text).to.match(/^hushpush_folder_free_bytes\{folder="files"\} [1-9]\d{6,}$/m);
      const rules = (await read('alerts.yaml')) + (await read('dashboard.json'));
      const named = [...rules.matchAll(/\b(?:hushpush|nodejs|process)_\w+/g)].map(([name]) =>
        name.replace(/_(bucket|count|sum)$/, ''),
      );
      expect(named).to.include.members(['hushpush_http_requests_total', 'nodejs_eventloop_lag_p99_seconds']);
      expect(named.filter((name) => !text.includes(`# TYPE ${name} `))).to.deep.equal([]);
    } finally {
      client.close();
      await service.stop();
      await database.drop();
    }
  });
});
