import {
  createMemory,
  deleteMemory,
  demoteMemory,
  listMemories,
  promoteMemory,
  updateMemory,
  type Args,
  type MemoryWire,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { toast } from "../../../lib/toast.ts";

export type MemoryScope = MemoryWire["scope"];

/** Global memories are in every workspace's list, so a write invalidates all of them. */
const memoryKeys = {
  all: ["memories"],
  inWorkspace: (slug: string) => ["memories", slug],
} as const;

/** Always refetched when opened, because a model may have added memories since. */
export const memoriesQuery = (slug: string) =>
  queryOptions({
    queryKey: memoryKeys.inWorkspace(slug),
    staleTime: 0,
    queryFn: ({ signal }) => call(listMemories, { slug }, { signal }),
    select: (reply) => reply.memories,
  });

export const useCreateMemory = () =>
  useMutation({
    mutationFn: async (memory: Args<typeof createMemory>) =>
      (await call(createMemory, memory)).memory,
    meta: { invalidates: [memoryKeys.all], errorToast: false },
  });

export const useUpdateMemory = () =>
  useMutation({
    mutationFn: (memory: Args<typeof updateMemory>) => call(updateMemory, memory),
    meta: { invalidates: [memoryKeys.all], errorToast: false },
  });

/** Moves a memory from this workspace to all of them, or back. */
export const useMoveMemory = (slug: string) =>
  useMutation({
    mutationFn: async ({ id, to }: { id: number; to: MemoryScope }): Promise<void> => {
      await (to === "global" ? call(promoteMemory, { id }) : call(demoteMemory, { id, slug }));
    },
    meta: {
      invalidates: [memoryKeys.all],
      errorToast: (message) => i18next.t("memories:notMoved", { message }),
    },
  });

const useRestoreMemory = (slug: string) =>
  useMutation({
    mutationFn: ({ content, scope }: MemoryWire) => call(createMemory, { slug, content, scope }),
    meta: {
      invalidates: [memoryKeys.all],
      errorToast: (message) => i18next.t("memories:notRestored", { message }),
    },
  });

/** The toast offers an undo: a memory is little more than its text. */
export const useDeleteMemory = (slug: string) => {
  const { mutate: restore } = useRestoreMemory(slug);
  return useMutation({
    mutationFn: ({ id }: MemoryWire) => call(deleteMemory, { id }),
    ...optimistic(memoriesQuery(slug).queryKey, (reply, { id }: MemoryWire) => ({
      ...reply,
      memories: {
        global: reply.memories.global.filter((memory) => memory.id !== id),
        workspace: reply.memories.workspace.filter((memory) => memory.id !== id),
      },
    })),
    onSuccess: (_reply, memory) =>
      toast.success(i18next.t("memories:removed"), () => restore(memory)),
    meta: {
      invalidates: [memoryKeys.all],
      errorToast: (message) => i18next.t("memories:notRemoved", { message }),
    },
  });
};
