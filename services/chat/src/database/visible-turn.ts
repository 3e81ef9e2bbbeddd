import type { Principal } from "@carrel/contracts";

/** What is recorded about a widget's visitor. */
export type Visitor = NonNullable<Principal["widget"]>;

/** The visitor who asked `turn`; null if a user or a program did. */
export const turnVisitor = `(
  SELECT generation.scope -> 'principal' -> 'widget' FROM chat.generation
  WHERE generation.turn_id = turn.id LIMIT 1
)`;

/** Condition on `turn`: done, or stopped or failed with text. */
export const recordedTurn = `(turn.state = 'done' OR (turn.state IN ('failed', 'cancelled') AND turn.answer <> ''))`;

/** The same for chats with visitors, whose refused questions aren't kept (wire-contract 8.3). */
export const recordedVisitorTurn = `(${recordedTurn} AND NOT turn.refused)`;

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
