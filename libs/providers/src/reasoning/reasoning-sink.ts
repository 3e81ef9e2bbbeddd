/** Receives an answer whose reasoning is separated from its text. */
export interface ReasoningSink {
  text(piece: string): void;
  reasoning(piece: string): void;
  /** All text so far was reasoning. */
  textWasReasoning(): void;
}
