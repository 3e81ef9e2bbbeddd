/**
 * Why dictation ended without a result: permission denied, no microphone, service unreachable, or
 * no speech.
 */
export type DictationProblem = "denied" | "missing" | "failed" | "silent";

/** What dictation reports until it ends. */
export interface DictationListener {
  /** Everything heard so far, which may still change until the end. */
  words: (text: string) => void;
  /** The volume, from 0 to 1. */
  level: (level: number) => void;
  /** It has stopped listening and waits for the words. */
  waiting: () => void;
  /** `message` says more, if the server did. */
  problem: (problem: DictationProblem, message?: string) => void;
  end: () => void;
}

/** The text in a field, and where to insert the words. */
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

type Field = Pick<HTMLTextAreaElement, "value" | "selectionStart" | "selectionEnd">;

const selectionOf = ({ value, selectionStart, selectionEnd }: Field): Insertion => ({
  before: value.slice(0, selectionStart),
  after: value.slice(selectionEnd),
});

/**
 * Returns a function that inserts everything heard so far into the field's text. If people type or
 * send meanwhile, their text is kept, and whatever is heard next goes where their cursor is then.
 */
export function followField(field: Field): (heard: string) => { text: string; end: number } {
  let place = selectionOf(field);
  let expected = field.value;
  let last = "";
  let kept = 0;
  return (heard) => {
    if (field.value !== expected) {
      place = selectionOf(field);
      kept = last.length;
    }
    last = heard;
    const words = heard.slice(kept).trim();
    const inserted =
      words === "" ? { text: field.value, end: field.selectionEnd } : insertWords(place, words);
    expected = inserted.text;
    return inserted;
  };
}
