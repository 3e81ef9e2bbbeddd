/**
 * SQL condition for the turns of the active path that existing clients and the next prompt see:
 * finished ones, and stopped or failed ones that have text.
 */
export const visibleTurn = (table: string): string =>
  `(
    ${table}.active
    AND NOT ${table}.hidden
    AND NOT ${table}.refused
    AND (
      ${table}.state = 'done'
      OR (${table}.state IN ('failed', 'cancelled') AND ${table}.answer <> '')
    )
  )`;
