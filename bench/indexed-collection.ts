import { randomUUID } from "node:crypto";
import { languagesOf, type EmbeddingModel } from "@carrel/providers";
import {
  chanceRecall,
  chunkTerms,
  detectLanguage,
  recallByVectors,
  recallByWords,
  splitInHalves,
  splitText,
  writtenLanguage,
} from "@carrel/retrieval";
import { openLanceStore, type VectorIndex, type VectorStore } from "@carrel/vector-store";
import { embedCached } from "./cached-embedder.ts";
import type { Judged, JudgedDocument } from "./judged-questions.ts";

export const workspaceId = 1;
/** Number of passages that an index's self-check samples. */
const checked = 60;

interface Chunk {
  id: string;
  /** The document, or the parts of it that it mainly covers, best first. */
  judgedIds: string[];
  documentId: string;
  language: string | null;
  text: string;
  title: string;
  terms: string[];
}
/** A collection in the indexes of a workspace. */
export interface Indexed extends Judged {
  store: VectorStore;
  chunks: Map<string, Chunk>;
  dense: {
    index: VectorIndex;
    questions: Float32Array[];
    /** Chunks in languages that the model wasn't trained on. */
    untrained: ReadonlySet<string>;
  } | null;
}
/** Splits, analyses and embeds a collection as ingest does. */
export async function indexCollection(
  judged: Judged,
  native: EmbeddingModel | null,
  folder: string,
): Promise<Indexed> {
  const store = await openLanceStore({ folder });
  const chunks = judged.documents.flatMap((document): Chunk[] => {
    const language = detectLanguage(document.text);
    const written = writtenLanguage(document.text);
    return splitText({ text: document.text }).map((chunk) => {
      const text = document.text.slice(chunk.start, chunk.end);
      return {
        id: randomUUID(),
        judgedIds: judgedIdsOf(document, chunk),
        documentId: document.id,
        language: written,
        title: document.title,
        text,
        terms: chunkTerms({
          text,
          title: document.title,
          headingPath: chunk.headingPath,
          language,
        }),
      };
    });
  });
  await store.text.upsert(
    chunks.map(({ id, documentId, terms }) => ({ id, workspaceId, documentId, version: 1, terms })),
  );
  let dense: Indexed["dense"] = null;
  if (native !== null) {
    const vectors = await embedCached(
      native,
      chunks.map(({ text }) => text),
      "passage",
    );
    const target = store.vectors({ model: native.model, dimensions: native.dimensions! });
    await target.upsert(
      chunks.map(({ id, documentId }, place) => ({
        id,
        workspaceId,
        documentId,
        version: 1,
        vector: vectors[place]!,
      })),
    );
    const questions = judged.questions.map(({ text }) => text);
    const trained = languagesOf(native.model);
    dense = {
      index: target,
      questions: await embedCached(native, questions, "query"),
      untrained: new Set(
        chunks
          .filter(({ language }) => language !== null && trained?.includes(language) === false)
          .map(({ id }) => id),
      ),
    };
  }
  await store.optimize();
  return { ...judged, store, chunks: new Map(chunks.map((chunk) => [chunk.id, chunk])), dense };
}

/** The document, or its parts of which the chunk covers most, or that cover most of it. */
function judgedIdsOf(
  { id, parts }: JudgedDocument,
  { start, end }: { start: number; end: number },
): string[] {
  if (parts === undefined) return [id];
  return parts
    .map((part) => ({
      id: part.id,
      shared: Math.min(end, part.end) - Math.max(start, part.start),
      shorter: Math.min(end - start, part.end - part.start),
    }))
    .filter(({ shared, shorter }) => shared > shorter / 2)
    .sort((a, b) => b.shared - a.shared)
    .map((part) => part.id);
}

/** Measures what the self-check of an index would measure. */
export async function selfCheck({ chunks }: Indexed, native: EmbeddingModel): Promise<string> {
  const all = [...chunks.values()];
  const step = Math.max(1, Math.floor(all.length / checked));
  const sample = all.filter((_, place) => place % step === 0).slice(0, checked);
  const language = sample[0]!.language;
  const halves = sample
    .map(({ text }) => splitInHalves(text, language))
    .filter((pair) => pair.every((half) => half.trim() !== ""));
  const embed = (place: 0 | 1): Promise<Float32Array[]> =>
    embedCached(
      native,
      halves.map((pair) => pair[place]),
      "passage",
    );
  const recalls = {
    words: recallByWords(halves, language),
    vectors: recallByVectors(await embed(0), await embed(1)),
    chance: chanceRecall(halves.length),
  };
  return Object.entries(recalls)
    .map(([name, recall]) => `${name} ${recall.toFixed(3)}`)
    .join(", ");
}
