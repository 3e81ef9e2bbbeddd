/*
 * What questions contain for politeness, or in place of what the answer names ("anyone", "what
 * else"). No text needs it to answer. Phrases rather than stop words, because texts use most of
 * their words otherwise: an `else` branch, a thank-you letter, what a driver needs to know.
 */
const phrases = [
  "(?:what|who|whom|whose|where|when|why|how|which|or|(?:any|some|every|no)(?:thing|one|body|where)) else",
  "(?:any|some)(?:thing|one|body|where|how)",
  "(?:do you|let me) know|(?:i|we) (?:(?:would|d) (?:like|love)|want|need) to (?:know|ask|learn|see)",
  "i (?:am |was |m )?(?:wonder|wondering|curious)",
  "any ideas?|show me|remind me|by the way|kindly",
  "irgend(?:etwas|was|wer|jemand(?:e[mn])?|wo|wann|wie)|jemand(?:e[mn])?|bitte",
  "(?:kannst|könntest|können|könnten) (?:du|sie) (?:mir|uns) (?:bitte )?(?:sagen|zeigen|erklären)",
  "(?:sag|sage|zeig|zeige|erkläre?) (?:mir|uns)|(?:sagen|zeigen|erklären) sie (?:mir|uns)",
  "ich (?:möchte|würde|will) (?:gern |gerne )?(?:wissen|fragen)|weißt du|wissen sie",
  "s il (?:vous|te) pla[iî]t|svp|quelqu un|quelque chose|quoi d autre",
  "(?:dis|dites) (?:moi|nous)|(?:pouvez vous|peux tu|pourriez vous) (?:me|nous) dire",
  "por favor|alguien|dime|d[ií]game|(?:puede|puedes|podr[ií]as?) decir(?:me|nos)",
].join("|");
const greeting =
  "(?:hi|hello|hey|good (?:morning|afternoon|evening)|hallo|guten (?:tag|morgen)|bonjour|hola)(?: there)?";
const thanks =
  "(?:many )?(?:thanks|thank you)(?: in advance)?|(?:vielen )?dank|danke(?: schön)?|merci|gracias";

/** A greeting only begins a question, and thanks only end it. */
const fillers = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:${phrases})(?![\\p{L}\\p{N}])|(?<=^\\s?)(?:${greeting})(?=\\s?[,.!:])|(?:${thanks})(?=[\\s.!]{0,5}$))`.replaceAll(
    " ",
    "[\\s'’-]{1,3}",
  ),
  "giu",
);

/** A phrase that is capitalised within a sentence is a name or a title ("Someone Like You"). */
const isName = (question: string, start: number): boolean =>
  /^\p{Lu}/u.test(question.slice(start, start + 2)) &&
  /[^\s.!?:,;¿¡"'(-]\s*$/u.test(question.slice(Math.max(0, start - 10), start));

/** Whether a word of the question, by its position, belongs to such a phrase. */
export function findFillers(question: string): (word: { start: number }) => boolean {
  const isFiller = new Uint8Array(question.length);
  for (const { index, 0: phrase } of question.matchAll(fillers))
    if (!isName(question, index)) isFiller.fill(1, index, index + phrase.length);
  return ({ start }) => isFiller[start] === 1;
}
