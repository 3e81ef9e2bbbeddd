import type { Principal } from "@carrel/contracts";

/** What is recorded about a widget's visitor. */
export type Visitor = NonNullable<Principal["widget"]>;

/** The visitor who asked `turn`; null if a user or a program did. */
export const turnVisitor = `(
  SELECT generation.scope -> 'principal' -> 'widget' FROM generation
  WHERE generation.turn_id = turn.id LIMIT 1
)`;
