import { expect } from 'chai';
import { examine } from '../../src/cli/doctor/examine.ts';
import type { Finding } from '../../src/config/checks.ts';
import { readConfig } from '../../src/config.ts';
import { openService } from '../../src/service.ts';

/** What doctor finds, asked in this process, which takes a fraction of the time of a command. */
export async function examined(
  settings: Record<string, string>,
  options?: { isProbed: boolean },
): Promise<Record<string, Finding>> {
  const config = readConfig({ PORT: '1', ...settings });
  const found = await examine(
    config,
    {
      async withService(work, { readOnly = false } = {}) {
        const service = await openService(config, { readOnly });
        return work(service).finally(service.close);
      },
    },
    options,
  );
  return byCheck(found);
}

/** Findings by what was looked at. Fails where one to act on comes without advice. */
export function byCheck(findings: Finding[]): Record<string, Finding> {
  for (const { state, advice, finding } of findings) {
    expect(state === 'ok', finding).to.equal(advice === undefined);
    if (advice !== undefined) expect(advice).to.match(/^[A-Z].*\.$/);
  }
  return Object.fromEntries(findings.map((finding) => [finding.check, finding]));
}
