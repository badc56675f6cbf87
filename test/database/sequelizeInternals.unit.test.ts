import { expect } from 'chai';
import { Sequelize } from 'sequelize';

const whatToCheck =
  'read each function of src/database/sequelizeInternals.ts beside the new version, run test/database on every ' +
  'database, measure `npm run bench`, and then write the new version here';

describe('What is used of Sequelize without being documented', () => {
  it('was read in the version that is installed', () => {
    expect((Sequelize as unknown as { version: string }).version, whatToCheck).to.equal('6.37.8');
  });
});
