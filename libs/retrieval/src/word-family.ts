const letters = /^\p{L}+$/u;
/** Shorter prefixes are shared by too many unrelated words. */
const minCommon = 5;
const minShare = 0.6;
/** Minimum length of the part before the second word of a compound. */
const minFirstPart = 3;

/**
 * Whether two forms belong to the same word family, which stemmers that only remove inflection
 * miss: one is derived from the other ("probation", "probationary"), or one ends with the other, as
 * in compounds ("Frist", "Kündigungsfrist"). A guess from the letters, for any alphabetic script;
 * counts less than an equal stem.
 */
export function areRelated(a: string, b: string): boolean {
  return relativesOf(a)(b);
}

/**
 * The same test, prepared for one form: computes what depends on the form once, and rejects most
 * terms before any expensive check.
 */
export function relativesOf(form: string): (term: string) => boolean {
  if (isArabic.test(form)) {
    const own = skeleton(form);
    return (term) => own.length >= 3 && own === skeleton(term);
  }
  if (isHangulPair.test(form))
    return (term) =>
      form[0] === term[0] && isHangulPair.test(term) && openSyllable(form) === openSyllable(term);
  if (form.length < minCommon || !letters.test(form)) return () => false;
  return (term) => {
    if (term.length < minCommon) return false;
    const longest = Math.max(form.length, term.length);
    const isEnd =
      longest - Math.min(form.length, term.length) >= minFirstPart &&
      (form.endsWith(term) || term.endsWith(form));
    if (isEnd) return letters.test(term);
    let common = 0;
    while (common < form.length && form.charCodeAt(common) === term.charCodeAt(common)) common++;
    return common >= minCommon && common >= minShare * longest && letters.test(term);
  };
}

const isArabic = /^\p{sc=Arabic}+$/u;
/** Arabic plurals and participles change the long vowels inside ("طالب", "طلاب"). */
const skeleton = (word: string): string => word.slice(0, 1) + word.slice(1).replace(/[اوي]/g, "");
const isHangulPair = /^[가-힣]{2}$/u;
/**
 * Index of the last syllable without its final consonant, which changes with a verb's ending
 * ("걸리나요", "걸린다").
 */
const openSyllable = (pair: string): number => Math.floor((pair.charCodeAt(1) - 0xac00) / 28);
/** Whether a form can have related words at all. */
const hasFamily = (form: string): boolean =>
  isArabic.test(form) ||
  isHangulPair.test(form) ||
  (form.length >= minCommon && letters.test(form));

/**
 * Related words share one of these: their first or last letters, in Arabic the consonants, in
 * Korean both syllables without the last consonant. Hashes, so other words may share one too.
 */
export function familyKeys(term: string): readonly number[] {
  const first = term.charCodeAt(0);
  if (first >= 0x600 && isArabic.test(term)) {
    const consonants = skeleton(term);
    return [hashOf(consonants, 0, consonants.length)];
  }
  if (first >= 0xac00 && isHangulPair.test(term))
    return [Math.imul(first, 31) + openSyllable(term)];
  if (term.length < minCommon || !letters.test(term)) return [];
  return [hashOf(term, 0, minCommon), ~hashOf(term, term.length - minCommon, term.length)];
}

function hashOf(text: string, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at++)
    hash = Math.imul((hash ^ text.charCodeAt(at)) + (hash >>> 15), 0x9e3779b1);
  return hash ^ (hash >>> 16);
}

interface Candidate {
  index: number;
  isRelative(term: string): boolean;
}

/**
 * Buckets of a hash table keyed by two characters; terms with the same two characters share one.
 */
const buckets = 4_096;
const bucketAt = (term: string, at: number): number =>
  (Math.imul(term.charCodeAt(at), 61) + term.charCodeAt(at + 1)) & (buckets - 1);

/**
 * For each word, the terms of `vocabulary` that are related to one of its forms, excluding the
 * forms themselves.
 */
export function findRelated(
  words: readonly { forms: readonly string[] }[],
  vocabulary: Iterable<string>,
): Set<string>[] {
  const found = words.map(() => new Set<string>());
  const own = words.map((word) => new Set(word.forms));
  // Related words share their first two or last two letters, in Arabic and Korean the first one; so
  // nearly all terms are never compared with a form.
  const byStart = new Map<number, Candidate[]>(),
    byEnd = new Map<number, Candidate[]>(),
    byFirst = new Map<number, Candidate[]>();
  const starts = new Uint8Array(buckets),
    ends = new Uint8Array(buckets);
  const keep = (map: Map<number, Candidate[]>, key: number, candidate: Candidate): void => {
    map.set(key, [...(map.get(key) ?? []), candidate]);
  };
  for (const [index, word] of words.entries()) {
    for (const form of word.forms) {
      if (!hasFamily(form)) continue;
      const candidate = { index, isRelative: relativesOf(form) };
      if (isArabic.test(form) || isHangulPair.test(form))
        keep(byFirst, form.charCodeAt(0), candidate);
      else {
        const start = bucketAt(form, 0),
          end = bucketAt(form, form.length - 2);
        starts[start] = ends[end] = 1;
        keep(byStart, start, candidate);
        keep(byEnd, end, candidate);
      }
    }
  }
  const addRelated = (term: string, candidates: Candidate[]): void => {
    for (const { index, isRelative } of candidates)
      if (isRelative(term) && !own[index]!.has(term)) found[index]!.add(term);
  };
  for (const term of vocabulary) {
    if (term.length >= minCommon) {
      const start = bucketAt(term, 0),
        end = bucketAt(term, term.length - 2);
      if (starts[start] === 1) addRelated(term, byStart.get(start)!);
      if (ends[end] === 1) addRelated(term, byEnd.get(end)!);
    }
    if (byFirst.size > 0) addRelated(term, byFirst.get(term.charCodeAt(0)) ?? []);
  }
  return found;
}
