/** The answer exceeds what a stream can hold. */
export class AnswerTooLongError extends Error {
  override readonly name = "AnswerTooLongError";
}
