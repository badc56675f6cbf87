import {
  DataTypes,
  type Model,
  type ModelAttributeColumnOptions,
  type ModelStatic,
  type Sequelize,
} from 'sequelize';

type Column = ModelAttributeColumnOptions & {
  /** Whether rows follow when their account is merged into another one; the others die with it. */
  followsMerge?: boolean;
};

/** A table, described once by the module that owns it: its columns, as Sequelize attributes, under the names that code uses. */
export type Table<Row extends object> = { name: string; columns: { [Name in keyof Row]-?: Column } };

type NullableIn<Row> = { [Name in keyof Row]: null extends Row[Name] ? Name : never }[keyof Row];

/** What a new row must have; columns that may be null can be left out. */
type NewRow<Row> = Omit<Row, NullableIn<Row>> & Partial<Row>;

/** The Sequelize model of a table. */
export type RowModel<Row extends object> = ModelStatic<Model<Row, NewRow<Row>> & Row>;

const column = (type: ModelAttributeColumnOptions['type']): Column => ({ type, allowNull: false });

export const bytesColumn = column(DataTypes.BLOB);
export const textColumn = column(DataTypes.TEXT);
/** Also times, which are epoch milliseconds of the database's clock. */
export const integerColumn = column(DataTypes.BIGINT);
export const flagColumn = column(DataTypes.BOOLEAN);

export const nullable = (type: Column): Column => ({ ...type, allowNull: true });

export const primaryKey = (type: Column): Column => ({ ...type, primaryKey: true });

/** The id of a row in another table. The row dies with that one, unless `onDelete` says otherwise. */
export const references = (table: string, { onDelete = 'CASCADE', followsMerge = false } = {}): Column => ({
  ...bytesColumn,
  allowNull: onDelete === 'SET NULL',
  references: { model: table, key: 'id' },
  onDelete,
  followsMerge,
});

/** The names of columns in SQL, as code calls them: `id, account_id AS accountId`. */
export function columnsOf<Row extends object>(
  { columns }: Table<Row>,
  names?: (keyof Row & string)[],
): string {
  return (names ?? Object.keys(columns))
    .map((name) => (snakeCase(name) === name ? name : `${snakeCase(name)} AS ${name}`))
    .join(', ');
}

export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The model of a table on one database, always the same one. Its booleans are booleans, which no database has. */
export function modelOf<Row extends object>(
  sequelize: Sequelize,
  { name, columns }: Table<Row>,
): RowModel<Row> {
  if (sequelize.isDefined(name)) return sequelize.model(name) as RowModel<Row>;
  const attributes = Object.entries<Column>(columns).map(([field, options]) => [
    field,
    options.type === DataTypes.BOOLEAN ? { ...options, get: booleanGetter(field) } : { ...options },
  ]);
  return sequelize.define<Model<Row, NewRow<Row>> & Row>(name, Object.fromEntries(attributes), {
    tableName: name,
  });
}

function booleanGetter(field: string) {
  return function get(this: Model): boolean {
    return Boolean(this.getDataValue(field));
  };
}
