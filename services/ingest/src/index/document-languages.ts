import { setImmediate } from "node:timers/promises";
import { servicePrincipal } from "@carrel/contracts";
import { writtenLanguage } from "@carrel/retrieval";
import { Injectable } from "@nestjs/common";
import {
  DocumentLanguageRepository,
  undetermined,
} from "../document/document-language.repository.ts";
import { TextRepository } from "../document/text.repository.ts";

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
