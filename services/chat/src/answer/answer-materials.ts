import type { Passage, SourceWire } from "@carrel/contracts";
import type { ImagePart } from "@carrel/providers";
import { Injectable } from "@nestjs/common";
import { AttachmentImages } from "../attachment/attachment-images.ts";
import type { PromptTurn } from "../prompt/build-prompt.ts";
import { EarlierSources, selectSources } from "../retrieval/earlier-sources.ts";
import { fullTextSource, promptText } from "../retrieval/full-texts.ts";
import type { AnswerTask } from "./answerer.ts";

/** A text of the context; `source` is null for backfill, which is not shown (wire-contract 4.7). */
interface ContextPiece {
  text: string;
  source: SourceWire | null;
}
/** Everything available for the prompt, before it is fitted into the window. */
export interface AnswerMaterial {
  fullTexts: ContextPiece[];
  /** Best first, backfill last. */
  passages: ContextPiece[];
  turns: PromptTurn[];
  images: ImagePart[];
}

/** Collects what a model may answer from. */
@Injectable()
export class AnswerMaterials {
  constructor(
    private readonly images: AttachmentImages,
    private readonly earlierSources: EarlierSources,
  ) {}

  async collect(task: AnswerTask): Promise<AnswerMaterial> {
    const backfill = selectSources(await this.findBackfill(task));
    const { images, turns } = await this.images.load(task.attachments, task.history);
    return {
      fullTexts: task.fullTexts.map((text) => ({
        text: promptText(text),
        source: fullTextSource(text),
      })),
      passages: [
        ...selectSources(task.passages).map((source) => ({ text: source.text, source })),
        ...backfill.map((source) => ({ text: source.text, source: null })),
      ],
      turns,
      images,
    };
  }

  /** Returns sources of earlier answers if the search found fewer passages than requested. */
  private async findBackfill(task: AnswerTask): Promise<Passage[]> {
    const wanted = task.workspace.topN - task.passages.length;
    // Without documents, none of the earlier answers' sources exist anymore.
    if (wanted <= 0 || task.history.length === 0 || task.documentCount === 0) return [];
    const backfill = await this.earlierSources.find({
      scope: task.scope,
      threadId: task.threadId,
      beforeTurnId: task.turnId,
      turns: task.historyLimit,
      known: task.passages,
      excluded: new Set(
        task.fullTexts.filter(({ kind }) => kind === "pinned").map(({ documentId }) => documentId),
      ),
      wanted,
    });
    const sources = selectSources(backfill);
    task.draft.notes.offered.push(
      ...backfill.map(({ documentId, start, end }, index) => ({
        origin: "earlier" as const,
        text: sources[index]!.text,
        documentId,
        start,
        end,
        score: null,
        source: null,
      })),
    );
    return backfill;
  }
}
