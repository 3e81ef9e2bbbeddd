import {
  dropPreviousIndex,
  getIndexState,
  stopIndexBuild,
  undoIndexSwitch,
} from "@carrel/contracts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const target = {
  engine: "native",
  model: "Xenova/all-MiniLM-L6-v2",
  dimensions: 384,
  vectorDatabase: "lancedb",
};
const state = {
  active: target,
  vectors: 12,
  vectorsWork: null,
  languagesWithoutVectors: ["ar"],
  multilingualModel: { model: "MintplexLabs/multilingual-e5-small", size: "118 MB" },
  embedding: { passagesDone: 12, passagesTotal: 12, running: 0, waiting: 0, reason: null },
  wanted: null,
  reason: null,
  building: null,
  previous: { target, since: new Date(0).toISOString() },
};
const done = { success: true };

export function answerIndexRows({ ingest }: TestInstance): void {
  ingest.answer(getIndexState, state);
  for (const operation of [stopIndexBuild, undoIndexSwitch, dropPreviousIndex])
    ingest.answer(operation, done);
}

/** Carrel-specific: changing the embedder and the vector store. */
export const indexRows: Row[] = [
  row("ingest.index.state", ["GET", "/system/index"], 200, json, { body: state }),
  row("ingest.index.stop", ["POST", "/system/index/stop"], 200, json, { body: done }),
  row("ingest.index.undo", ["POST", "/system/index/undo"], 200, json, { body: done }),
  row("ingest.index.drop-previous", ["POST", "/system/index/drop-previous"], 200, json, {
    body: done,
  }),
];
