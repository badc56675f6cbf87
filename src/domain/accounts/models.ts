import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

const binary = DataTypes.BLOB('tiny');

export type AccountModels = ReturnType<typeof defineAccountModels>;

/** The models of accounts and their tokens, bound to one database. */
export function defineAccountModels(sequelize: Sequelize) {
  class Account extends Model<InferAttributes<Account>, InferCreationAttributes<Account>> {
    declare id: Buffer;
    declare email: string;
    declare passwordHash: string | null;
    declare subscribed: boolean;
    declare notify: number;
    declare createdAt: number;
    declare isAdmin: CreationOptional<boolean>;
    declare disabledAt: CreationOptional<number | null>;
    declare locale: CreationOptional<string | null>;
  }
  Account.init(
    {
      id: { type: binary, primaryKey: true },
      email: DataTypes.STRING(254),
      passwordHash: DataTypes.STRING(60),
      subscribed: DataTypes.BOOLEAN,
      notify: DataTypes.SMALLINT,
      createdAt: DataTypes.BIGINT,
      isAdmin: { type: DataTypes.BOOLEAN, defaultValue: false },
      disabledAt: DataTypes.BIGINT,
      locale: DataTypes.STRING(16),
    },
    { sequelize, tableName: 'accounts' },
  );

  class ApiToken extends Model<InferAttributes<ApiToken>, InferCreationAttributes<ApiToken>> {
    declare id: Buffer;
    declare accountId: Buffer;
    declare name: string;
    declare digest: Buffer;
    declare hint: string;
    declare createdAt: number;
    declare lastUsedAt: CreationOptional<number | null>;
  }
  ApiToken.init(
    {
      id: { type: binary, primaryKey: true },
      accountId: binary,
      name: DataTypes.STRING(100),
      digest: binary,
      hint: DataTypes.STRING(8),
      createdAt: DataTypes.BIGINT,
      lastUsedAt: DataTypes.BIGINT,
    },
    { sequelize, tableName: 'api_tokens' },
  );

  return { Account, ApiToken };
}
