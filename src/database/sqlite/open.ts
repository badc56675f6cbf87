import { Sequelize } from 'sequelize';
import { sharedOptions } from '../options.ts';
import { sqliteDriver } from './driver.ts';

export function openSqlite(file: string, readOnly: boolean): Sequelize {
  return new Sequelize({
    ...sharedOptions,
    dialect: 'sqlite',
    dialectModule: sqliteDriver,
    storage: file,
    ...(readOnly && { dialectOptions: { mode: sqliteDriver.OPEN_READONLY } }),
  });
}
