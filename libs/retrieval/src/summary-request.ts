import { analyseQuestion } from "./analyse.ts";
import { answerKind } from "./answer-kind.ts";
import { fold } from "./fold.ts";

/** Requests for a summary in the languages with a stemmer, folded. */
const requests = new RegExp(
  `(?:^|[^\\p{L}])(?:${[
    // English
    "summari[sz]e|sum up|(?:give|write|make|show)[^.?]{0,30}(?:summary|overview)|(?:summary|overview) of|(?:main|key) (?:points?|findings|takeaways)|tl;?dr",
    // German, French, Spanish, Italian, Portuguese, Dutch
    "zusammenfass\\p{L}*|fass\\p{L}* [^?]*zusammen|hauptpunkte|kernaussagen|uberblick uber",
    "resume[rz]?|resumer|points? (?:principaux|cles|essentiels)",
    "resum(?:e|en|ir|a)|puntos (?:principales|clave)",
    "riassum\\p{L}+|riepilog\\p{L}+|punti (?:principali|chiave)",
    "resumo|resuma|pontos (?:principais|chave)",
    "samenvat\\p{L}*|vat [^?]*samen|hoofdpunten",
    // Swedish, Norwegian, Danish, Finnish, Hungarian, Romanian
    "sammanfatta\\p{L}*|oppsummer\\p{L}*|sammendrag|opsummer\\p{L}*|sammenfat\\p{L}*|tiivista\\p{L}*|yhteenveto|osszefoglal\\p{L}*|foglal[dj]\\p{L}* ossze|rezum\\p{L}+",
    // Turkish, Lithuanian, Indonesian, Vietnamese
    "ozetle\\p{L}*|ozeti?|apibendrin\\p{L}+|santrauk\\p{L}+|ringkas\\p{L}*|rangkum\\p{L}*|tom tat",
    // Russian, Ukrainian, Greek
    "резюмир\\p{L}+|обобщи\\p{L}*|кратко излож\\p{L}+|кратк\\p{L}+ содержание|подсум\\p{L}+|узагальн\\p{L}+|стисло виклад\\p{L}+|συνοψ\\p{L}+|περιληψη",
  ].join("|")})(?=[^\\p{L}]|$)`,
  "u",
);
/** Words of a request that don't name a topic. */
const plain =
  /^(?:main|key|point|points|finding|findings|takeaway|takeaways|decision|decisions|conclusion|conclusions|summary|overview|document|documents|dokument|dokumente|dokumenten|file|files|text|texts|workspace|short|brief|important|document|documento|documentos|documenti)$/;

/**
 * The words that say what to summarise, folded; empty for everything. null if the question asks for
 * something else: "What was in the executive summary of 2019?" asks for a fact.
 */
export function readSummaryRequest(question: string): string[] | null {
  const folded = fold(question);
  const request = requests.exec(folded);
  if (request === null || answerKind(question) !== null) return null;
  return analyseQuestion(folded.replace(request[0], " "), { languages: [] })
    .filter((word) => word.isStop !== true)
    .map((word) => word.forms[0]!)
    .filter((word) => !plain.test(word));
}
