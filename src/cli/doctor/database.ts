import type { Config } from '../../config.ts';
import type { Service } from '../../service.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const clockSkewMs = 2_000;

export async function checkDatabase({ DATABASE_URL }: Config, { database }: Service): Promise<Finding> {
  return ok('database', `${await database.version()} responds at ${withoutPassword(DATABASE_URL)}`);
}

export async function checkSchema({ migrations }: Service): Promise<Finding> {
  const { pending, newer } = await migrations.status();
  if (newer.length > 0)
    return failure(
      'schema',
      `newer than this version: ${newer.join(', ')}`,
      'Run the version that added them.',
    );
  return pending.length === 0
    ? ok('schema', 'all migrations are applied')
    : warning('schema', `pending: ${pending.join(', ')}`, 'Run hushpush migrate up, or start the service.');
}

export async function checkClock({ domain }: Service): Promise<Finding> {
  const startedAt = Date.now();
  const skewMs = (await domain.clock()) - (startedAt + Date.now()) / 2;
  return Math.abs(skewMs) < clockSkewMs
    ? ok('clock', `differs from the database’s clock by ${Math.round(skewMs)} ms`)
    : warning(
        'clock',
        `differs from the database’s clock by ${Math.round(skewMs / 1000)} s`,
        'Synchronize both machines with NTP; pushes expire by the database’s clock.',
      );
}

function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):.*@/, '$1:…@');
}
