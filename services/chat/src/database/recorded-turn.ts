/** Condition on `turn`: done, or stopped or failed with text. */
export const recordedTurn = `(turn.state = 'done' OR (turn.state IN ('failed', 'cancelled') AND turn.answer <> ''))`;
