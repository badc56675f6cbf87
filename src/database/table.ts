import {
  DataTypes,
  type Model,
  type ModelAttributeColumnOptions,
  type ModelStatic,
  type Sequelize,
} from 'sequelize';

type Column = ModelAttributeColumnOptions & {
  /** Whether rows move when their account is merged into another. Other rows are deleted with it. */
  followsMerge?: boolean;
  /** How an encrypted column is encrypted. */
  sealed?: Sealed;
};

/**
 * `field` is the field of the record's context. Its key may contain a secret besides the master key: the url token of the
 * row's push, or a secret that only its holder has. `endsAt` is the column with the time at which such a record goes.
 */
export type Sealed = { field: string } & (
  | { secret?: undefined }
  | { secret: 'url token' | 'holder'; endsAt: string }
);

/**
 * A table, described once by the module that owns it. Columns are Sequelize attributes, under the names used in code.
 */
export type Table<Row extends object> = { name: string; columns: { [Name in keyof Row]-?: Column } };

type NullableIn<Row> = { [Name in keyof Row]: null extends Row[Name] ? Name : never }[keyof Row];

/** The columns that a new row must have. Nullable columns may be omitted. */
type NewRow<Row> = Omit<Row, NullableIn<Row>> & Partial<Row>;

/** The Sequelize model of a table. */
export type RowModel<Row extends object> = ModelStatic<Model<Row, NewRow<Row>> & Row>;

const column = (type: ModelAttributeColumnOptions['type']): Column => ({ type, allowNull: false });

export const bytesColumn = column(DataTypes.BLOB);
export const textColumn = column(DataTypes.TEXT);
/** Also for times, which are epoch milliseconds by the database's clock. */
export const integerColumn = column(DataTypes.BIGINT);
export const flagColumn = column(DataTypes.BOOLEAN);

/** Encrypted bytes. */
export const sealedColumn = (sealed: Sealed): Column => ({ ...bytesColumn, sealed });

export const nullable = (type: Column): Column => ({ ...type, allowNull: true });

export const primaryKey = (type: Column): Column => ({ ...type, primaryKey: true });

/** A reference to a row of another table. The row is deleted with that one, unless `onDelete` says otherwise. */
export const references = (table: string, { onDelete = 'CASCADE', followsMerge = false } = {}): Column => ({
  ...bytesColumn,
  allowNull: onDelete === 'SET NULL',
  references: { model: table, key: 'id' },
  onDelete,
  followsMerge,
});

/** A foreign key, in SQL. It refers to the `id` of its parent; `isCleared` if it is set to NULL with the end of that row. */
export type ForeignKey = { table: string; column: string; parent: string; isCleared: boolean };

export function foreignKeysOf<Row extends object>({ name: table, columns }: Table<Row>): ForeignKey[] {
  return Object.entries<Column>(columns).flatMap(([name, { references, onDelete }]) =>
    typeof references === 'object'
      ? [
          {
            table,
            column: snakeCase(name),
            parent: String(references.model),
            isCleared: onDelete === 'SET NULL',
          },
        ]
      : [],
  );
}

/** The columns in SQL, under their names in code: `pushes.id, pushes.account_id AS accountId`. */
export function columnsOf<Row extends object>({ name: table, columns }: Table<Row>): string {
  return Object.keys(columns)
    .map((name) => `${table}.${snakeCase(name)}${snakeCase(name) === name ? '' : ` AS ${name}`}`)
    .join(', ');
}

/** Returns a function that converts the booleans of a selected row in place: the databases return them as 0 and 1. */
export function rowReader<Row extends object>({ columns }: Table<Row>) {
  const flags = Object.keys(columns).filter((name) => columns[name as keyof Row].type === DataTypes.BOOLEAN);
  return <Selected extends Partial<Row>>(row: Selected): Selected => {
    const values: Record<string, unknown> = row;
    for (const name of flags) if (name in row) values[name] = Boolean(values[name]);
    return row;
  };
}

export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * The model of a table on one database, always the same object. It converts booleans, which the databases return as
 * numbers.
 */
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
