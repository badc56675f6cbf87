import {
  DataTypes,
  type Model,
  type ModelAttributeColumnOptions,
  type ModelStatic,
  type Sequelize,
} from 'sequelize';

/** A column of a table, and what rows have in it. */
export type Column<Value = unknown> = ModelAttributeColumnOptions & {
  /** Whether rows move when their account is merged into another. Other rows are deleted with it. */
  followsMerge?: boolean;
  /** How an encrypted column is encrypted. */
  sealed?: Sealed;
  /** Never there: it carries the type. */
  value?: Value;
};

/**
 * `field` is the field of the record's context. Its key may contain a secret besides the master key: the url token of the
 * row's push, or a secret that only its holder has. `endsAt` is the column with the time at which such a record goes.
 */
export type Sealed = { field: string } & (
  | { secret?: undefined }
  | { secret: 'url token' | 'holder'; endsAt: string }
);

/** A table, described once by the room that owns it. Columns are Sequelize attributes, under the names used in code. */
export type Table<Row extends object> = {
  name: string;
  columns: { [Name in keyof Row]-?: Column<Row[Name]> };
};

/** The rows of a table, as its columns say. */
export type RowOf<Described> = Described extends Table<infer Row> ? Row : never;

type ValuesOf<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never;
};

/** Describes a table: the type of its rows follows from its columns. */
export const table = <Columns extends Record<string, Column>>(
  name: string,
  columns: Columns,
): Table<ValuesOf<Columns>> => ({ name, columns }) as unknown as Table<ValuesOf<Columns>>;

type NullableIn<Row> = { [Name in keyof Row]: null extends Row[Name] ? Name : never }[keyof Row];

/** The columns that a new row must have. Nullable columns may be omitted. */
type NewRow<Row> = Omit<Row, NullableIn<Row>> & Partial<Row>;

/** The Sequelize model of a table. */
export type RowModel<Row extends object> = ModelStatic<Model<Row, NewRow<Row>> & Row>;

const stored = <Value>(type: ModelAttributeColumnOptions['type']): Column<Value> => ({
  type,
  allowNull: false,
});
const text = stored<string>(DataTypes.TEXT);
const bytes = stored<Buffer>(DataTypes.BLOB);

export const column = {
  bytes,
  text,
  /** Text that can only be one of these. */
  textOf: <Value extends string>() => text as Column<Value>,
  /** Also for times, which are epoch milliseconds by the database's clock. */
  integer: stored<number>(DataTypes.BIGINT),
  flag: stored<boolean>(DataTypes.BOOLEAN),
  /** Encrypted bytes. */
  sealed: (sealed: Sealed): Column<Buffer> => ({ ...bytes, sealed }),
};

export const nullable = <Value>(type: Column<Value>): Column<Value | null> => ({ ...type, allowNull: true });

export const primaryKey = <Value>(type: Column<Value>): Column<Value> => ({ ...type, primaryKey: true });

/** A reference to a row of another table. The row is deleted with that one. */
export const references = (parent: string, { followsMerge = false } = {}): Column<Buffer> => ({
  ...bytes,
  references: { model: parent, key: 'id' },
  onDelete: 'CASCADE',
  followsMerge,
});

/** As `references`, but the row stays without it. */
export const maybeReferences = (parent: string): Column<Buffer | null> => ({
  ...nullable(references(parent)),
  onDelete: 'SET NULL',
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
