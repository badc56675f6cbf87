import type { Config } from '../config.ts';
import type { Service } from '../service.ts';

/** `readOnly` does not prepare the database either. */
type WithServiceOptions = { prepare?: boolean; readOnly?: boolean };

/** What commands work with. `withService` opens the service, prepares its database unless told not to, and closes it. */
export type Cli = {
  withService<T>(work: (service: Service) => Promise<T>, options?: WithServiceOptions): Promise<T>;
  config(): Config;
};
