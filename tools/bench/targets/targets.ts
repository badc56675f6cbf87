import { enclosed } from './enclosed.ts';
import { hemmelig } from './hemmelig.ts';
import { jsonApi, once, pages, visits, withPassphrase } from './hushpush.ts';
import { oneTimeSecret } from './oneTimeSecret.ts';
import { ownerPages } from './owner.ts';
import { privateBin } from './privateBin.ts';
import { snapPass } from './snapPass.ts';
import type { Target } from './target.ts';
import { yopass } from './yopass.ts';

/** Other services, by the name that `--rival` takes. */
export const rivals = {
  passwordpusher: jsonApi,
  onetimesecret: oneTimeSecret,
  yopass,
  hemmelig,
  enclosed,
  snappass: snapPass,
  privatebin: privateBin,
} satisfies Record<string, Target>;

/** Everything that the load generator can be sent to do, by name. */
export const targets: Record<string, Target> = {
  json: jsonApi,
  once,
  passphrase: withPassphrase,
  page: pages,
  visits,
  owner: ownerPages,
  ...rivals,
};
