const longest = 200;
/** Typing on within this time (ms) is undone as one change. */
const pause = 1_500;

/** Something that is edited, with what it was before and what was undone. */
export interface History<T> {
  past: readonly T[];
  present: T;
  future: readonly T[];
  /** What the last change was made to, and when: the next one there joins it. */
  last: { tag: string; at: number } | null;
}

export const startHistory = <T>(present: T): History<T> => ({
  past: [],
  present,
  future: [],
  last: null,
});

/** `tag` names what is typed into, so that not every letter is undone alone. */
export function changed<T>(
  history: History<T>,
  next: T,
  tag: string | null = null,
  now: number = Date.now(),
): History<T> {
  if (Object.is(next, history.present)) return history;
  const { last } = history;
  const joins = last !== null && last.tag === tag && now - last.at < pause;
  return {
    past: joins ? history.past : [...history.past, history.present].slice(-longest),
    present: next,
    future: [],
    last: tag === null ? null : { tag, at: now },
  };
}

export function undone<T>(history: History<T>): History<T> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    present: before,
    future: [history.present, ...history.future],
    last: null,
  };
}

export function redone<T>(history: History<T>): History<T> {
  const [next] = history.future;
  if (next === undefined) return history;
  return {
    past: [...history.past, history.present],
    present: next,
    future: history.future.slice(1),
    last: null,
  };
}
