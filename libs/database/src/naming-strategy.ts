import { DefaultNamingStrategy, type NamingStrategyInterface } from "typeorm";

const snake = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();

/** Entities in camelCase, tables and columns in singular snake_case. */
export class SnakeNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override tableName(target: string, customName: string | undefined): string {
    return customName ?? snake(target);
  }
  override columnName(
    property: string,
    customName: string | undefined,
    prefixes: string[],
  ): string {
    return [...prefixes, customName ?? property]
      .map((part, index, all) => (customName && index === all.length - 1 ? part : snake(part)))
      .join("_");
  }
  override relationName(property: string): string {
    return snake(property);
  }
  override joinColumnName(relation: string, referenced: string): string {
    return snake(`${relation}_${referenced}`);
  }
  override joinTableName(first: string, second: string, firstProperty: string): string {
    return snake(`${first}_${firstProperty.replaceAll(".", "_")}_${second}`);
  }
  override joinTableColumnName(table: string, property: string, column?: string): string {
    return snake(`${table}_${column ?? property}`);
  }
}
