/** The databases that an experiment can run on. */
export const proveDatabases = ['sqlite', 'mariadb', 'mysql', 'galera'] as const;

export type ProveDatabase = (typeof proveDatabases)[number];

/** What the command line says to every experiment. */
export type ProveOptions = {
  /** How long to go on. An experiment with a fixed amount of work may take longer or end sooner. */
  seconds: number;
  /** The same seed gives the same choices. */
  seed: number;
  database: ProveDatabase;
  /** The only fault to cause, part or mutants to run, by their names; all of them by default. */
  only: string | undefined;
  /** The only room whose mutants to run. */
  room: string | undefined;
  /** How many mutants to run at a time. */
  jobs: number;
  /** A defect to plant in a copy of the program before it runs. The experiment should then fail. */
  mutant: string | undefined;
};

/** What an experiment found. Each failure is one sentence, with its evidence on further lines. */
export type Outcome = { figures: Record<string, string | number>; failures: string[] };

/** An experiment on the running service. It prints what it does, and stops everything that it started. */
export type Experiment = {
  /** What must hold, in one sentence. */
  claim: string;
  run(options: ProveOptions): Promise<Outcome>;
};
