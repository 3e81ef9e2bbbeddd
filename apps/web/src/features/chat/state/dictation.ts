/**
 * Why dictation ended without a result: not allowed, no microphone, the service is unreachable, or
 * nobody spoke.
 */
export type DictationProblem = "denied" | "missing" | "failed" | "silent";

/** What dictation reports until it ends. */
export interface DictationListener {
  /** Everything heard so far, which may still change until the end. */
  words: (text: string) => void;
  /** How loud it is, from 0 to 1. */
  level: (level: number) => void;
  /** It has stopped listening, and waits for the words. */
  waiting: () => void;
  /** `message` tells more, if the server did. */
  problem: (problem: DictationProblem, message?: string) => void;
  end: () => void;
}

/** The text in a field, and where the words go. */
export interface Insertion {
  before: string;
  after: string;
}

/** The field's text with the words in place of its selection, and where the words end. */
export function insertWords(
  { before, after }: Insertion,
  words: string,
): { text: string; end: number } {
  const head = before === "" || /\s$/.test(before) ? before : `${before} `;
  const tail = after === "" || /^[\s.,;:!?)]/.test(after) ? after : ` ${after}`;
  return { text: head + words + tail, end: head.length + words.length };
}
