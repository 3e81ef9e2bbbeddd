/** Condition on `turn`: done, or stopped or failed with text. */
export const recordedTurn = `(turn.state = 'done' OR (turn.state IN ('failed', 'cancelled') AND turn.answer <> ''))`;

/** The same for chats with visitors, whose refused questions aren't kept (wire-contract 8.3). */
export const recordedVisitorTurn = `(${recordedTurn} AND NOT turn.refused)`;
