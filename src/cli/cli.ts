import type { Config } from '../config.ts';
import type { Service } from '../service.ts';

/** `readOnly` creates and writes nothing, and checks nothing either. */
type WithServiceOptions = { check?: boolean; readOnly?: boolean };

/** The result of a command: what it prints with `--json`, and otherwise. */
export type Report = [value: unknown, text: string];

/** What commands work with. */
export type Cli = {
  /** Opens the service, checks its schema and keys unless told not to, and closes it. */
  withService<T>(work: (service: Service) => Promise<T>, options?: WithServiceOptions): Promise<T>;
  /** The same, for work whose result is printed. */
  report(
    json: true | undefined,
    work: (service: Service) => Promise<Report>,
    options?: WithServiceOptions,
  ): Promise<void>;
  config(): Promise<Config>;
};
