import { SetupError } from '../errors.ts';

/** Its message names every invalid setting. */
export class ConfigError extends SetupError {}
