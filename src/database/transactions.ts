import type {
  Attributes,
  CreationAttributes,
  FindOptions,
  Model,
  Sequelize,
  Transaction,
  WhereOptions,
} from 'sequelize';
import { unavailable } from '../errors.ts';
import type { Dialect } from './dialect.ts';
import { isContention, isUndone } from './errors.ts';
import { type RetryLimit, withRetries } from './retries.ts';
import type { RunStatement } from './runner.ts';
import { sendBeginAndEnd } from './sequelizeInternals.ts';
import { runInScope } from './sqlite/scope.ts';
import { createStatements, type Statements } from './statements.ts';
import { modelOf, type RowModel, type Table } from './table.ts';

/** An open transaction with the statements and models that belong to it. */
export type Tx = Statements & {
  model<Row extends object>(table: Table<Row>): BoundModel<InstanceType<RowModel<Row>>>;
  /** Runs a listener after the commit, once however often it is registered; never when the transaction fails. It must not throw. */
  afterCommit(listener: () => void): void;
};

type BoundModel<M extends Model> = {
  /** Finds a row and locks it. */
  findForUpdate(where: WhereOptions<Attributes<M>>): Promise<M | null>;
  findAll(options: Omit<FindOptions<Attributes<M>>, 'transaction'>): Promise<M[]>;
  create(row: CreationAttributes<M>): Promise<M>;
  update(values: Partial<Attributes<M>>, where: WhereOptions<Attributes<M>>): Promise<void>;
  destroy(where: WhereOptions<Attributes<M>>): Promise<void>;
};

/** Returns what runs transactions on one database. `file` is the path of an embedded one. */
export function createTransactions(
  { sequelize, run, dialect }: { sequelize: Sequelize; run: RunStatement; dialect: Dialect },
  file: string | undefined,
) {
  sendBeginAndEnd(sequelize, (sql, opened) => run(sql, {}, opened));

  /**
   * Runs work in one transaction, and the whole of it again when the database refused it for contention. What `work`
   * registers with `tx.afterCommit` runs once, after the commit. Refuses with `unavailable` when the result of COMMIT
   * stays unknown: nothing that was read may then be given away.
   */
  async function transaction<T>(work: (tx: Tx) => Promise<T>, limit?: RetryLimit): Promise<T> {
    const { result, committed } = await withRetries(() => attempt(work), limit);
    for (const listener of committed) listener();
    return result;
  }

  async function attempt<T>(work: (tx: Tx) => Promise<T>) {
    const opened = await sequelize.transaction();
    const committed = new Set<() => void>();
    const tx: Tx = {
      ...createStatements(run, dialect, opened),
      model: (table) => bindModel(modelOf(sequelize, table), opened),
      afterCommit: (listener) => void committed.add(listener),
    };
    const working = file === undefined ? work(tx) : runInScope(file, () => work(tx));
    const result = await working.catch(async (error) => {
      await opened.rollback().catch(() => {});
      throw error;
    });
    await opened.commit().catch((error) => {
      throw isContention(error) || isUndone(error) ? error : unavailable('commitUnconfirmed', error);
    });
    return { result, committed };
  }

  return transaction;
}

function bindModel<Row extends object>(
  model: RowModel<Row>,
  transaction: Transaction,
): BoundModel<InstanceType<RowModel<Row>>> {
  return {
    findForUpdate: (where) => model.findOne({ where, transaction, lock: true }),
    findAll: (options) => model.findAll({ ...options, transaction }),
    create: (row) => model.create(row, { transaction }),
    async update(values, where) {
      await model.update(values, { where, transaction });
    },
    async destroy(where) {
      await model.destroy({ where, transaction });
    },
  };
}
