import {
  cancelLocalModel,
  deleteLocalModel,
  downloadLocalModel,
  listLocalModels,
  type LocalModels,
} from "@carrel/contracts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const models: LocalModels = {
  isOn: true,
  hub: "huggingface.co",
  offers: [],
  files: [{ file: "own.gguf", name: "Own", bytes: 4_000, tokensPerSecond: 12 }],
  downloads: [],
};

export function answerLocalModels({ chat }: TestInstance): void {
  chat
    .answer(listLocalModels, models)
    .answer(downloadLocalModel, { success: true })
    .answer(cancelLocalModel, { success: true })
    .answer(deleteLocalModel, { success: true });
}

const success = { body: { success: true } };

/** Carrel-specific (docs/local-models.md). */
export const localModelRows: Row[] = [
  row("chat.local-model.list", ["GET", "/system/local-models"], 200, json, { body: models }),
  row(
    "chat.local-model.download",
    ["POST", "/system/local-models/qwen3-4b-instruct/download", { licenseAccepted: true }],
    200,
    json,
    success,
  ),
  row(
    "chat.local-model.cancel",
    ["DELETE", "/system/local-models/qwen3-4b-instruct/download"],
    200,
    json,
    success,
  ),
  row(
    "chat.local-model.delete",
    ["DELETE", "/system/local-models/files/own.gguf"],
    200,
    json,
    success,
  ),
];
