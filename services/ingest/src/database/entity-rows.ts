import type { DataSource } from "typeorm";

/**
 * An entity's columns for hand-written SQL, aliased to their property names. Those of two entities
 * in one row need a `prefix`.
 */
export const entityColumns = (
  dataSource: DataSource,
  entity: new () => object,
  alias: string,
  prefix = "",
): string =>
  dataSource
    .getMetadata(entity)
    .columns.map(
      (column) => `${alias}."${column.databaseName}" AS "${prefix}${column.propertyName}"`,
    )
    .join(", ");

/** Maps a row selected with `entityColumns` to its entity. */
export function mapEntity<Entity extends object>(
  dataSource: DataSource,
  entity: new () => Entity,
  row: Record<string, unknown>,
  prefix = "",
): Entity {
  const mapped = new entity();
  for (const column of dataSource.getMetadata(entity).columns) {
    const { transformer } = column;
    const value = row[prefix + column.propertyName];
    const from =
      transformer && !Array.isArray(transformer) ? (transformer.from(value) as unknown) : value;
    column.setEntityValue(mapped, from);
  }
  return mapped;
}
