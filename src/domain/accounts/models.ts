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
  class AccountModel extends Model<InferAttributes<AccountModel>, InferCreationAttributes<AccountModel>> {
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
  AccountModel.init(
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

  class ApiTokenModel extends Model<InferAttributes<ApiTokenModel>, InferCreationAttributes<ApiTokenModel>> {
    declare id: Buffer;
    declare accountId: Buffer;
    declare name: string;
    declare digest: Buffer;
    declare hint: string;
    declare createdAt: number;
    declare lastUsedAt: CreationOptional<number | null>;
  }
  ApiTokenModel.init(
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

  return { AccountModel, ApiTokenModel };
}
