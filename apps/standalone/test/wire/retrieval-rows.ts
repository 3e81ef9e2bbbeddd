import {
  getSearchState,
  inspectTurn,
  listRetrievalFacets,
  searchDocumentTexts,
  tryRetrieval,
  type Inspection,
} from "@carrel/contracts";
import { documentId } from "./fixture-answers.ts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const place = {
  documentId,
  title: "a.txt",
  page: null,
  headingPath: [],
  start: 0,
  end: 4,
  excerpt: "Text",
};
const inspection: Inspection = {
  question: "Hi?",
  mode: "chat",
  provider: "openai",
  model: "gpt-4.1-nano",
  at: new Date(0).toISOString(),
  searches: [
    {
      query: "Hi?",
      isRewritten: false,
      words: [{ text: "Hi", weight: 1, found: true }],
      expansion: [{ term: "hello", weight: 1 }],
      filter: {},
      threshold: 0.25,
      topN: 4,
      documentCount: 1,
      embedder: null,
      rerank: { kind: null, model: null, count: 0, milliseconds: 0, fault: null },
      candidateCount: 1,
      milliseconds: 2,
      candidates: [
        {
          ...place,
          place: 1,
          docpath: "custom-documents/a.txt.json",
          denseScore: null,
          densePlace: null,
          textScore: 0.5,
          textPlace: 1,
          score: 0.5,
          fusedRank: 1,
          fusedPlace: 1,
          rerankScore: null,
          fate: "kept",
          better: null,
        },
      ],
    },
  ],
  passages: [{ ...place, origin: "found", score: 0.5, tokens: 40, fate: "whole", source: 1 }],
  prompt: {
    contextWindow: 128_000,
    tokens: {
      system: 100,
      memories: 0,
      pinned: 0,
      files: 0,
      passages: 40,
      history: 0,
      question: 2,
      images: 0,
      total: 142,
    },
    basis: "reported",
    turns: { given: 0, kept: 0 },
    isCut: false,
  },
};
const facets = {
  folders: [{ value: "custom-documents", documents: 1 }],
  types: [{ value: "text/plain", documents: 1 }],
  tags: [],
};

const searchState = {
  documents: 3,
  embedded: 2,
  embedder: { state: "ready" as const, fault: null },
};

export function answerRetrievalRows({ chat, ingest }: TestInstance): void {
  chat.answer(inspectTurn, { inspection }).answer(tryRetrieval, { inspection });
  ingest
    .answer(listRetrievalFacets, facets)
    .answer(searchDocumentTexts, { hits: [] })
    .answer(getSearchState, searchState);
}

/** Carrel-specific: the retrieval inspector. */
export const retrievalRows: Row[] = [
  row("chat.suggestion.list", ["GET", "/workspace/w/suggested-questions"], 200, json, {
    body: { hasModel: true, questions: [] },
  }),
  row("chat.turn.inspect", ["GET", "/workspace/w/turns/9/inspection"], 200, json, {
    body: { inspection },
  }),
  row(
    "chat.retrieval.try",
    [
      "POST",
      "/workspace/w/retrieval/try",
      { question: "Hi?", filter: { folders: ["custom-documents"], addedFrom: "2026-01-01" } },
    ],
    200,
    json,
    { body: { inspection } },
  ),
  row("ingest.search.state", ["GET", "/workspace/w/search-state"], 200, json, {
    body: searchState,
  }),
  row(
    "ingest.document.search-texts",
    ["POST", "/documents/search", { searchTerm: "mast" }],
    200,
    json,
    { body: { hits: [] } },
  ),
  row("ingest.retrieval.facets", ["GET", "/workspace/w/retrieval/facets"], 200, json, {
    body: facets,
  }),
];
