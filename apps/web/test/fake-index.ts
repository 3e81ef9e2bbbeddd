import {
  dropPreviousIndex,
  getIndexState,
  listPreferences,
  stopIndexBuild,
  undoIndexSwitch,
  updatePreferences,
  type Out,
} from "@carrel/contracts";
import type { FakeCall } from "./fake-call.ts";

type IndexState = Out<typeof getIndexState>;
export const minilm = {
  engine: "native",
  model: "Xenova/all-MiniLM-L6-v2",
  dimensions: 384,
  vectorDatabase: "lancedb",
};
export const large = {
  engine: "openai",
  model: "text-embedding-3-large",
  dimensions: 3072,
  vectorDatabase: "lancedb",
};

/** Search index and text splitting of the fake gateway. */
export class FakeIndex {
  state: IndexState = {
    active: minilm,
    vectors: 18_420,
    vectorsWork: true,
    languagesWithoutVectors: [],
    multilingualModel: null,
    embedding: {
      passagesDone: 18_420,
      passagesTotal: 18_420,
      running: 0,
      waiting: 0,
      reason: null,
    },
    wanted: null,
    reason: null,
    building: null,
    previous: null,
  };
  preferences: Record<string, unknown> = {
    text_splitter_chunk_size: null,
    text_splitter_chunk_overlap: null,
    max_embed_chunk_size: 1000,
  };
  /** Rejects the next change with this text. */
  refuse: string | null = null;
  acts: string[] = [];

  build(share: number, more: Partial<NonNullable<IndexState["building"]>> = {}): void {
    this.state.building = {
      id: "00000000-0000-4000-8000-000000000001",
      target: large,
      state: "running",
      fault: null,
      documentsDone: Math.round(24 * share),
      documentsTotal: 24,
      chunksDone: Math.round(18_420 * share),
      chunksTotal: 18_420,
      startedAt: new Date().toISOString(),
      secondsLeft: Math.round(900 * (1 - share)),
      ...more,
    };
  }

  /** Returns true if it answered the call. */
  handle({ method, path, body, json, reply }: FakeCall): boolean {
    if (path === "/system/index") {
      reply(getIndexState, this.state);
      return true;
    }
    if (path === "/admin/system-preferences-for" && this.preferences) {
      reply(listPreferences, { settings: this.preferences });
      return true;
    }
    const act = (/^\/system\/index\/(stop|undo|drop-previous)$/.exec(path)?.[1] ??
      (path === "/admin/system-preferences" && "text_splitter_chunk_size" in body
        ? "split"
        : undefined)) as keyof typeof operations | undefined;
    if (method !== "POST" || act === undefined) return false;
    if (this.refuse !== null) {
      json({ success: false, error: this.refuse }, act === "split" ? 200 : 409);
      this.refuse = null;
      return true;
    }
    this.acts.push(act);
    if (act === "stop") this.state.building = this.state.wanted = null;
    if (act === "undo" && this.state.previous)
      [this.state.active, this.state.previous] = [this.state.previous.target, null];
    if (act === "drop-previous") this.state.previous = null;
    if (act === "split") Object.assign(this.preferences, body);
    reply(operations[act], { success: true, error: null });
    return true;
  }
}

const operations = {
  stop: stopIndexBuild,
  undo: undoIndexSwitch,
  "drop-previous": dropPreviousIndex,
  split: updatePreferences,
};
