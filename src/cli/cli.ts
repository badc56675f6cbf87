import type { Config } from '../config.ts';
import type { Service } from '../service.ts';

/** `readOnly` creates and writes nothing, and checks nothing either. */
type WithServiceOptions = { check?: boolean; readOnly?: boolean };

/** What commands work with. `withService` opens the service, checks its schema and keys unless told not to, and closes it. */
export type Cli = {
  withService<T>(work: (service: Service) => Promise<T>, options?: WithServiceOptions): Promise<T>;
  config(): Promise<Config>;
};
