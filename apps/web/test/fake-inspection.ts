import {
  inspectTurn,
  listRetrievalFacets,
  tryRetrieval,
  type InspectedCandidate,
  type Inspection,
} from "@carrel/contracts";
import type { FakeCall } from "./fake-call.ts";

const candidate = (place: number, more: Partial<InspectedCandidate>): InspectedCandidate => ({
  place,
  documentId: `00000000-0000-4000-8000-00000000000${place % 10}`,
  title: "Retrofit survey 2024.pdf",
  docpath: "custom-documents/retrofit.json",
  page: 31,
  headingPath: ["4 Measurements", "4.2 Flow temperatures"],
  start: place * 900,
  end: place * 900 + 850,
  excerpt:
    "In the 1970s blocks a design flow temperature of 48 °C is enough for nine of ten radiators.",
  denseScore: 0.62,
  densePlace: 3,
  textScore: 0.71,
  textPlace: 1,
  score: 0.71,
  fusedRank: 0.94,
  fusedPlace: place,
  rerankScore: null,
  fate: "kept",
  better: null,
  ...more,
});

/** An inspection with a candidate of every outcome. */
export const inspected = (more: Partial<Inspection> = {}): Inspection => ({
  question: "And in the 1990s blocks?",
  mode: "chat",
  provider: "openai",
  model: "gpt-4.1-nano",
  at: new Date().toISOString(),
  searches: [
    {
      query:
        "What flow temperature should we design for in the 1970s blocks?\nAnd in the 1990s blocks?",
      isRewritten: true,
      words: [
        { text: "flow", weight: 0.21, found: true },
        { text: "temperature", weight: 0.18, found: true },
        { text: "1990s", weight: 0.4, found: true },
        { text: "courtyards", weight: 0.21, found: false },
      ],
      expansion: [
        { term: "radiator", weight: 0.5 },
        { term: "supply", weight: 0.3 },
      ],
      filter: {},
      threshold: 0.25,
      topN: 4,
      documentCount: 24,
      embedder: "native:Xenova/all-MiniLM-L6-v2",
      rerank: { kind: "built-in", model: null, count: 30, milliseconds: 4, fault: null },
      candidates: [
        candidate(1, { rerankScore: 0.88 }),
        candidate(2, {
          title: "Heat-pump field trial.pdf",
          page: 12,
          textScore: null,
          textPlace: null,
          denseScore: 0.58,
          densePlace: 1,
          score: 0.58,
        }),
        candidate(3, { fate: "joined", better: 1 }),
        candidate(4, { fate: "duplicate", better: 2, title: "Heat-pump field trial (copy).pdf" }),
        candidate(5, { fate: "in-prompt", title: "EN 12831 design loads, notes.docx", page: null }),
        candidate(6, { fate: "over-top-n", score: 0.41 }),
        candidate(7, { fate: "over-budget", score: 0.4 }),
        candidate(8, { fate: "not-quoted", score: 0.31 }),
        candidate(9, { fate: "below-threshold", score: 0.12, textScore: 0.12, denseScore: 0.1 }),
        candidate(10, {
          fate: "over-top-n",
          title: null,
          docpath: null,
          page: null,
          headingPath: [],
          excerpt: "",
        }),
      ],
      candidateCount: 214,
      milliseconds: 23,
    },
  ],
  passages: [
    {
      origin: "pinned",
      documentId: "d",
      title: "EN 12831 design loads, notes.docx",
      page: null,
      headingPath: [],
      start: 0,
      end: 9000,
      excerpt: "Notes",
      score: null,
      tokens: 2100,
      fate: "cut",
      source: null,
    },
    {
      origin: "found",
      documentId: "a",
      title: "Retrofit survey 2024.pdf",
      page: 31,
      headingPath: [],
      start: 900,
      end: 2700,
      excerpt: "In the 1970s",
      score: 0.71,
      tokens: 410,
      fate: "whole",
      source: 1,
    },
    {
      origin: "earlier",
      documentId: "b",
      title: "Heat-pump field trial.pdf",
      page: 12,
      headingPath: [],
      start: 1800,
      end: 2600,
      excerpt: "Trial",
      score: null,
      tokens: 240,
      fate: "over-budget",
      source: null,
    },
  ],
  prompt: {
    contextWindow: 8192,
    tokens: {
      system: 320,
      memories: 0,
      pinned: 2100,
      files: 0,
      passages: 650,
      history: 900,
      question: 40,
      images: 0,
      total: 4010,
    },
    basis: "reported",
    turns: { given: 14, kept: 6 },
    isCut: true,
  },
  ...more,
});

/** Retrieval inspections of the fake gateway. */
export class FakeInspection {
  kept: Inspection | null = inspected();
  trials: Record<string, unknown>[] = [];
  /** Rejects the next trial with this text. */
  refuse: string | null = null;

  /** Returns true if it answered the call. */
  handle({ method, path, body, json, reply }: FakeCall): boolean {
    if (method === "GET" && /^\/workspace\/[^/]+\/turns\/\d+\/inspection$/.test(path)) {
      reply(inspectTurn, { inspection: this.kept });
      return true;
    }
    if (/\/retrieval\/facets$/.test(path)) {
      reply(listRetrievalFacets, {
        folders: [{ value: "Measurements", documents: 5 }],
        types: [{ value: "application/pdf", documents: 14 }],
        tags: [{ value: "block C", documents: 3 }],
      });
      return true;
    }
    if (method !== "POST" || !/\/retrieval\/try$/.test(path)) return false;
    this.trials.push(body);
    if (this.refuse !== null) {
      json({ error: this.refuse }, 400);
      this.refuse = null;
      return true;
    }
    const inspection = inspected({ question: String(body.question), passages: [] });
    for (const each of inspection.searches.flatMap(({ candidates }) => candidates))
      if (each.title !== null) each.excerpt = null;
    reply(tryRetrieval, { inspection });
    return true;
  }
}
