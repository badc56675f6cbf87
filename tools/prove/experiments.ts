import { acknowledgements } from './chats/acknowledgements.ts';
import { story } from './chats/story/story.ts';
import { takeover } from './chats/takeover.ts';
import { compose } from './containers/compose.ts';
import { image } from './containers/image.ts';
import type { Experiment } from './experiment.ts';
import { flood } from './flood.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { history } from './history/history.ts';
import { mail } from './mail/mail.ts';
import { mutants } from './mutants/mutants.ts';
import { proxies } from './proxies.ts';
import { recipients } from './recipients.ts';
import { rotation } from './rotation.ts';
import { scanners } from './scanners/scanners.ts';
import { sensitivity } from './sensitivity.ts';
import { sockets } from './sockets.ts';
import { timing } from './timing.ts';
import { upgrade } from './upgrade/upgrade.ts';

/** All experiments, in the order in which `npm run prove` runs them. Each has its own file or folder beside this one. */
export const experiments: Record<string, Experiment> = {
  acknowledgements,
  compose,
  flood,
  fuzz,
  history,
  image,
  mail,
  mutants,
  proxies,
  recipients,
  rotation,
  scanners,
  sensitivity,
  sockets,
  story,
  takeover,
  timing,
  upgrade,
};
