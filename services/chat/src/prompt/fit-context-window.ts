/*
 * Pure and free of imports: it runs in a worker thread, where counting the tokens of long texts
 * doesn't block streams.
 */
/** Tokens of the window reserved for the answer, wire-contract 4.7. */
export const answerReserve = 600;
/** Replaces the removed middle of a text, wire-contract 4.7. */
export const truncationMark = "--prompt truncated for brevity--";

export interface PromptParts {
  instructions: string;
  /** Memories of the user, most important first. */
  memories: string[];
  /** Pinned documents and files: they come first and are cut at their end. */
  fullTexts: string[];
  contextTexts: string[];
  history: { question: string; answer: string }[];
  question: string;
}
export interface FittedParts {
  instructions: string;
  /** The first memories, never cut. */
  memories: string[];
  /** The first full texts; the last of them may be cut. */
  fullTexts: string[];
  /** The best passages, in order. */
  contextTexts: string[];
  /** The newest turns, oldest first. */
  history: { question: string; answer: string }[];
  question: string;
  /** Total of the fitted parts according to `count`; null if they weren't counted. */
  tokens: number | null;
}
/** Whether something was left out or cut. */
export const isCut = (whole: PromptParts, fitted: FittedParts): boolean =>
  fitted.fullTexts.length < whole.fullTexts.length ||
  fitted.memories.length < whole.memories.length ||
  fitted.contextTexts.length < whole.contextTexts.length ||
  fitted.history.length < whole.history.length ||
  fitted.question !== whole.question ||
  fitted.instructions !== whole.instructions ||
  fitted.fullTexts.some((text, index) => text !== whole.fullTexts[index]) ||
  fitted.contextTexts.some((text, index) => text !== whole.contextTexts[index]);

/**
 * Whether a pinned document or file was left out or cut, or more than half of the passages: leaving
 * out the worst is normal.
 *
 * @param found how many of the first context texts the search found
 */
export const lacksSources = (whole: PromptParts, fitted: FittedParts, found: number): boolean =>
  whole.fullTexts.some((text, index) => text !== fitted.fullTexts[index]) ||
  fitted.contextTexts.length < found / 2;

export type CountTokens = (text: string) => number;

/** Longer prompts are counted right away: checking every character would block streams. */
const estimateLimit = 200_000;

/**
 * Returns an upper bound of the o200k token count without its tables: lowercase letters come at
 * least two to a token, everything else may be one token each, and scripts rare in training data
 * take several per character.
 */
export function overestimateTokens(text: string): number {
  let tokens = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      tokens += unit >= 0x61 && unit <= 0x7a ? 0.5 : unit === 0x20 ? 0.25 : 1;
    } else if (
      unit < 0x700 ||
      (unit >= 0x900 && unit < 0xe80) ||
      (unit >= 0x2000 && unit < 0x2070) ||
      (unit >= 0x3000 && unit < 0xd7b0)
    ) {
      tokens += unit >= 0x3400 && unit < 0xa000 ? 1.3 : 1;
    } else tokens += 3;
  }
  return tokens;
}

/**
 * Whether the prompt is so much shorter than the window that counting is unnecessary. `overhead` is
 * the cost of wrapping each part.
 */
export function fitsWithoutCounting(parts: PromptParts, window: number, overhead = 16): boolean {
  const texts = [
    parts.instructions,
    parts.question,
    ...parts.memories,
    ...parts.fullTexts,
    ...parts.contextTexts,
    ...parts.history.flatMap((turn) => [turn.question, turn.answer]),
  ];
  if (texts.reduce((length, text) => length + text.length, 0) > estimateLimit) return false;
  return (
    texts.reduce(
      (tokens, text) => tokens + overestimateTokens(text) + overhead,
      requestTokens + headingOf(parts.memories),
    ) <=
    window - answerReserve
  );
}

/**
 * Fits a prompt into `window` tokens minus the reserve. The rest is shared: at most 70% for the
 * question, at least 15% for instructions with memories and context, at least 15% for history;
 * unused shares go to the others. Memories get at most a tenth of the window. Passages are dropped
 * first (from the last, worst one), then turns (from the oldest), and only then is the middle of a
 * text cut out. Of the room for context, full texts get whatever passages don't need; passages may
 * claim a quarter of it, or up to half if the best one takes that much.
 */
export function fitContextWindow(
  parts: PromptParts,
  window: number,
  count: CountTokens,
  overhead = 16,
): FittedParts {
  const limit = Math.max(64, window - answerReserve);
  // Documents may be far longer than any window, so counting stops once further tokens make no
  // difference.
  const fullCounts = parts.fullTexts.map((text) => countUpTo(text, limit, count) + overhead);
  const memoryCounts = parts.memories.map((text) => count(text) + overhead);
  const contextCounts = parts.contextTexts.map((text) => count(text) + overhead);
  const turnCounts = parts.history.map(
    (turn) => count(turn.question) + count(turn.answer) + overhead,
  );
  const wanted = {
    question: count(parts.question),
    instructions: count(parts.instructions) + requestTokens,
    memories: sum(memoryCounts) + headingOf(parts.memories),
    full: sum(fullCounts),
    context: sum(contextCounts),
    history: sum(turnCounts),
  };
  const all =
    wanted.question +
    wanted.instructions +
    wanted.memories +
    wanted.full +
    wanted.context +
    wanted.history;
  if (all <= limit) return { ...parts, tokens: all };

  const questionRoom = Math.floor(limit * 0.7);
  const question =
    wanted.question > questionRoom
      ? cutMiddle(parts.question, questionRoom, count)
      : parts.question;
  const afterQuestion = limit - Math.min(wanted.question, questionRoom);
  const historyShare = Math.min(wanted.history, Math.floor(limit * 0.15));
  const systemShare = Math.min(
    wanted.instructions + wanted.memories + wanted.full + wanted.context,
    afterQuestion - historyShare,
  );

  const instructions =
    wanted.instructions > systemShare
      ? cutMiddle(parts.instructions, Math.max(16, systemShare - requestTokens), count)
      : parts.instructions;
  let left = systemShare - Math.min(wanted.instructions, systemShare);
  const memories: string[] = [];
  let memoryRoom = Math.min(left, Math.floor(limit / 10)) - headingOf(parts.memories);
  for (const [index, text] of parts.memories.entries()) {
    memoryRoom -= memoryCounts[index]!;
    if (memoryRoom < 0) break;
    left -= memoryCounts[index]! + (index === 0 ? headingOf(parts.memories) : 0);
    memories.push(text);
  }
  const forPassages = Math.max(
    Math.floor(left / 4),
    Math.min(contextCounts[0] ?? 0, Math.floor(left / 2)),
  );
  let fullRoom = left - Math.min(wanted.context, forPassages);
  const fullTexts: string[] = [];
  for (const [index, text] of parts.fullTexts.entries()) {
    const isCut = fullCounts[index]! > fullRoom;
    if (isCut && fullRoom <= 64) break;
    fullTexts.push(isCut ? cutEnd(text, fullRoom - overhead, count) : text);
    const used = isCut ? fullRoom : fullCounts[index]!;
    fullRoom -= used;
    left -= used;
    if (isCut) break;
  }
  const contextTexts: string[] = [];
  for (const [index, text] of parts.contextTexts.entries()) {
    if (contextCounts[index]! > left) break;
    left -= contextCounts[index]!;
    contextTexts.push(text);
  }
  // One passage, cut, is better than none.
  if (
    fullTexts.length === 0 &&
    contextTexts.length === 0 &&
    parts.contextTexts.length > 0 &&
    left > 64
  ) {
    contextTexts.push(cutMiddle(parts.contextTexts[0]!, left - overhead, count));
    left = 0;
  }

  let room = afterQuestion - systemShare;
  const history: FittedParts["history"] = [];
  for (let index = parts.history.length - 1; index >= 0; index -= 1) {
    if (turnCounts[index]! > room) break;
    room -= turnCounts[index]!;
    history.unshift(parts.history[index]!);
  }
  return {
    instructions,
    memories,
    fullTexts,
    contextTexts,
    history,
    question,
    tokens: limit - left - room,
  };
}

/**
 * Number of characters counted at once: small enough to waste little counting, large enough that
 * the cuts barely affect the sum.
 */
const slice = 4_000;

/** Returns the tokens of a text, or any number above `limit`. */
export function countUpTo(text: string, limit: number, count: CountTokens): number {
  let tokens = 0;
  for (let start = 0; start < text.length && tokens <= limit; start += slice)
    tokens += count(text.slice(start, start + slice));
  return tokens;
}

/** Truncates a text to at most `limit` tokens, including the mark appended to it. */
export function cutEnd(text: string, limit: number, count: CountTokens): string {
  let left = limit - count(truncationMark);
  let end = 0;
  while (end < text.length) {
    const tokens = count(text.slice(end, end + slice));
    if (tokens > left) break;
    left -= tokens;
    end += slice;
  }
  let low = 0;
  let high = Math.min(slice, text.length - end);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (count(text.slice(end, end + middle)) <= left) low = middle;
    else high = middle - 1;
  }
  // Don't cut between the two halves of a surrogate pair.
  const last = /[\uD800-\uDBFF]$/.test(text.slice(0, end + low)) ? end + low - 1 : end + low;
  return `${text.slice(0, last)}${truncationMark}`;
}

/** Cuts out the middle so that at most `limit` tokens are left, including the mark. */
export function cutMiddle(text: string, limit: number, count: CountTokens): string {
  if (count(text) <= limit) return text;
  const characters = Array.from(text);
  let low = 0;
  let high = characters.length;
  const build = (kept: number): string =>
    `${characters.slice(0, Math.ceil(kept / 2)).join("")}${truncationMark}${characters.slice(characters.length - Math.floor(kept / 2)).join("")}`;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (count(build(middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  return build(low);
}

/** Tokens of what the prompt says about citations and the answer's language. */
const requestTokens = 70;
/** Tokens of the heading above memories. */
const headingOf = (memories: readonly string[]): number => (memories.length > 0 ? 40 : 0);
const sum = (numbers: number[]): number => numbers.reduce((total, n) => total + n, 0);
