import {
  createMemory,
  deleteMemory,
  demoteMemory,
  listMemories,
  promoteMemory,
  updateMemory,
  type MemoryWire,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";

export type MemoryScope = MemoryWire["scope"];

/**
 * Own memories of a workspace and those for everywhere; asked for anew whenever they are opened,
 * since a model may have noted some.
 */
export const memoriesQuery = (slug: string) =>
  queryOptions({
    queryKey: ["memories", slug],
    staleTime: 0,
    queryFn: ({ signal }) => call(listMemories, { slug }, { signal }),
    select: (reply) => reply.memories,
  });

/** Those for everywhere are in the lists of all workspaces. */
const again = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["memories"] });

/** All throw with the server's words, and are done when the list shows it. */
export async function addMemory(
  slug: string,
  scope: MemoryScope,
  content: string,
): Promise<MemoryWire> {
  const { memory } = await call(createMemory, { slug, scope, content });
  await again();
  return memory;
}
export async function changeMemory(id: number, content: string): Promise<void> {
  await call(updateMemory, { id, content });
  await again();
}
export async function removeMemory(id: number): Promise<void> {
  await call(deleteMemory, { id });
  await again();
}
/** To everywhere, or from there to one workspace. */
export async function moveMemory(id: number, slug: string, to: MemoryScope): Promise<void> {
  await (to === "global" ? call(promoteMemory, { id }) : call(demoteMemory, { id, slug }));
  await again();
}
