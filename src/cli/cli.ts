import type { Config } from '../config.ts';
import type { Service } from '../service.ts';

/** What commands work with. `withService` opens the service, prepares its database unless told not to, and closes it. */
export type Cli = {
  withService<T>(work: (service: Service) => Promise<T>, options?: { prepare?: boolean }): Promise<T>;
  config(): Config;
};
