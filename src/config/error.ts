/** Its message names every invalid setting. */
export class ConfigError extends Error {}
