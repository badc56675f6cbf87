import { type Finding, ok, warning } from '../../config/checks.ts';
import { type Config, publicUrl } from '../../config.ts';
import type { Service } from '../../service.ts';

/** Whether the passkeys of accounts work at BASE_URL: they belong to the host that they were created for. Nothing to say without any. */
export async function checkPasskeys(config: Config, { domain }: Service): Promise<Finding[]> {
  const { obstacle } = domain.passkeys;
  const { host, here, elsewhere } = await domain.passkeys.hosts();
  const found = elsewhere.map((other) =>
    warning(
      'passkeysElsewhere',
      'passkeys',
      `BASE_URL has the host ${host}, and ${accountsText(other.accounts)} passkeys of ${other.host}, which do not work there`,
      'Keep the host, or let their owners sign in with an app or a recovery code and add new ones; see docs/sign-in.md.',
    ),
  );
  if (here === 0) return found;
  if (obstacle !== undefined)
    return [
      ...found,
      warning(
        'passkeysUnusable',
        'passkeys',
        `${accountsText(here)} some, but browsers know none at ${publicUrl(config)}`,
        'Set BASE_URL to an https address with a name.',
      ),
    ];
  return found.length > 0 ? found : [ok('passkeysFit', 'passkeys', `${accountsText(here)} some, of ${host}`)];
}

const accountsText = (count: number) => (count === 1 ? '1 account has' : `${count} accounts have`);
