import {
  createMemory,
  deleteMemory,
  demoteMemory,
  listMemories,
  promoteMemory,
  updateMemory,
  type MemoryWire,
} from "@carrel/contracts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const date = "2026-11-21T00:00:00.000Z";
const inWorkspace: MemoryWire = {
  id: 3,
  userId: null,
  workspaceId: 1,
  scope: "workspace",
  content: "Works in the cellar.",
  lastUsedAt: null,
  createdAt: date,
  updatedAt: date,
};
const everywhere: MemoryWire = {
  ...inWorkspace,
  id: 4,
  workspaceId: null,
  scope: "global",
  lastUsedAt: date,
};
const memories = { global: [everywhere], workspace: [inWorkspace] };

export function answerMemoryRows({ chat }: TestInstance): void {
  chat
    .answer(listMemories, { memories })
    .answer(createMemory, { memory: inWorkspace })
    .answer(updateMemory, { memory: inWorkspace })
    .answer(deleteMemory, { success: true })
    .answer(promoteMemory, { memory: everywhere })
    .answer(demoteMemory, { memory: inWorkspace });
}

/** Wire contract 3.5. */
export const memoryRows: Row[] = [
  row("chat.memory.list", ["GET", "/workspaces/w/memories"], 200, json, { body: { memories } }),
  row(
    "chat.memory.create",
    ["POST", "/workspaces/w/memories", { content: "Works in the cellar.", scope: "workspace" }],
    200,
    json,
    { body: { memory: inWorkspace } },
  ),
  row(
    "chat.memory.update",
    ["PUT", "/memories/3", { content: "Works in the cellar." }],
    200,
    json,
    { body: { memory: inWorkspace } },
  ),
  row("chat.memory.promote", ["POST", "/memories/3/promote"], 200, json, {
    body: { memory: everywhere },
  }),
  row("chat.memory.demote", ["POST", "/memories/4/demote/w"], 200, json, {
    body: { memory: inWorkspace },
  }),
  row("chat.memory.delete", ["DELETE", "/memories/3"], 200, json, { body: { success: true } }),
];
