import type { Database } from '../../src/database/database.ts';

/** From now on the database commits and its answer is lost. Returns what ends that. */
export function loseCommits({ sequelize }: Pick<Database, 'sequelize'>): () => void {
  const begin = sequelize.transaction;
  sequelize.transaction = (async () => {
    const opened = await begin.call(sequelize);
    const commit = opened.commit.bind(opened);
    opened.commit = async () => {
      await commit();
      throw new Error('the answer was lost');
    };
    return opened;
  }) as typeof begin;
  return () => {
    sequelize.transaction = begin;
  };
}
