import { usesLatinScript, writtenLanguage } from "@carrel/retrieval";
import { Injectable } from "@nestjs/common";
import { undetermined } from "../document/document-language.repository.ts";
import { IndexDirectory } from "./index-directory.ts";
import type { SearchIndex } from "./search-index.ts";

const onlyLatin = /^[\P{L}\p{Script=Latin}]*$/u;

/** A language of documents; null until it is detected. */
type DocumentLanguage = string | null;

/**
 * Decides in which languages the active index's vectors are searched: those its embedder was
 * trained on, as far as that is known, except any that failed the self-check.
 */
@Injectable()
export class VectorLanguages {
  constructor(private readonly directory: IndexDirectory) {}

  /** Selects the workspace's languages whose vectors are searched. */
  async select(languages: readonly DocumentLanguage[]): Promise<DocumentLanguage[]> {
    const uses = await usesVectors(await this.directory.active());
    return languages.filter(uses);
  }

  /**
   * Whether a question's vector can find anything in a workspace with these languages. A question in
   * a language without vectors finds noise in the others.
   */
  async canFind(question: string, languages: readonly DocumentLanguage[]): Promise<boolean> {
    const uses = await usesVectors(await this.directory.active());
    if (!languages.some(uses)) return false;
    // Detecting a language takes up to a millisecond, so it isn't done where it doesn't matter.
    if (languages.every(uses) && onlyLatin.test(question)) return true;
    const asked = writtenLanguage(question);
    if (asked === null || uses(asked)) return true;
    // A few words in Latin letters are easily mistaken for another language.
    return usesLatinScript(asked) && !languages.includes(asked);
  }
}

export async function usesVectors(
  index: Pick<SearchIndex, "model" | "vectorChecks">,
): Promise<(language: DocumentLanguage) => boolean> {
  const { languagesOf } = await import("@carrel/providers");
  const trained = languagesOf(index.model);
  return (language) => {
    if (language === null) return trained === null;
    if (trained !== null && language !== undetermined && !trained.includes(language)) return false;
    return index.vectorChecks[language]?.works ?? true;
  };
}
