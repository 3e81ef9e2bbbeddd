import { setImmediate } from "node:timers/promises";
import { servicePrincipal } from "@carrel/contracts";
import { usesLatinScript, writtenLanguage } from "@carrel/retrieval";
import { Injectable } from "@nestjs/common";
import { DocumentLanguageRepository, undetermined } from "../document/document.repository.ts";
import { TextRepository } from "../document/text.repository.ts";
import { IndexDirectory } from "./index-directory.ts";
import type { SearchIndex } from "./search-index.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Characters from the start of a document used to detect its language. */
const sampleLength = 4_000;
const batch = 100;
/** Documents per run, so that a large library doesn't hold up other work. */
const maxBatches = 20;

/** Detects the languages of searchable documents. */
@Injectable()
export class DocumentLanguages {
  constructor(
    private readonly languages: DocumentLanguageRepository,
    private readonly texts: TextRepository,
  ) {}

  /**
   * Detects the languages of some workspace documents; by default, of documents from versions that
   * didn't detect them.
   */
  async detect(workspaceDocumentIds: number[] | null = null): Promise<void> {
    for (let done = 0; done < maxBatches; done++) {
      const ids = await this.languages.listUnknown(scope, batch, workspaceDocumentIds);
      if (ids.length === 0) return;
      const samples = await this.texts.readAll(
        scope,
        ids.map((documentId) => ({ documentId, start: 0, end: sampleLength })),
      );
      const detected: { id: string; language: string }[] = [];
      for (const [n, id] of ids.entries()) {
        detected.push({ id, language: writtenLanguage(samples[n]!) ?? undetermined });
        // Detecting takes up to a few milliseconds.
        await setImmediate();
      }
      await this.languages.save(scope, detected);
      if (ids.length < batch) return;
    }
  }
}

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
