import {
  createPreset,
  deletePreset,
  listPresets,
  listSuggestedMessages,
  suggestQuestions,
  updatePreset,
  type Out,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { workspaceKeys } from "../../../lib/query-keys.ts";
import { toast } from "../../../lib/toast.ts";

export type Preset = Out<typeof listPresets>["presets"][number];
export interface PresetFields {
  command: string;
  prompt: string;
  description: string;
}

const presetKeys = { all: ["presets"] } as const;

/** The user's own slash commands. */
export const presetsQuery = queryOptions({
  queryKey: presetKeys.all,
  queryFn: ({ signal }) => call(listPresets, {}, { signal }),
  select: (reply) => reply.presets,
});

/** `id: null` creates one. */
export const useSavePreset = () =>
  useMutation({
    mutationFn: ({ id, fields }: { id: number | null; fields: PresetFields }) =>
      id === null ? call(createPreset, fields) : call(updatePreset, { ...fields, id }),
    onSuccess: () => toast.success(i18next.t("chat:presetSaved")),
    meta: { invalidates: [presetKeys.all], errorToast: false },
  });

const useRestorePreset = () =>
  useMutation({
    mutationFn: ({ command, prompt, description }: Preset) =>
      call(createPreset, { command, prompt, description }),
    meta: { invalidates: [presetKeys.all] },
  });

/** The toast offers an undo: commands have no other data, so they can be restored. */
export const useDeletePreset = () => {
  const { mutate: restore } = useRestorePreset();
  return useMutation({
    mutationFn: ({ id }: Preset) => call(deletePreset, { id }),
    ...optimistic(presetsQuery.queryKey, (reply, { id }: Preset) => ({
      ...reply,
      presets: reply.presets.filter((preset) => preset.id !== id),
    })),
    onSuccess: (_reply, preset) =>
      toast.success(i18next.t("chat:presetDeleted"), () => restore(preset)),
    meta: { invalidates: [presetKeys.all] },
  });
};

/** The suggested questions of an empty chat; rendering doesn't wait for them. */
export const suggestionsQuery = (slug: string) =>
  queryOptions({
    queryKey: workspaceKeys.suggestedMessages(slug),
    queryFn: ({ signal }) => call(listSuggestedMessages, { slug }, { signal }),
    select: (reply) =>
      reply.suggestedMessages
        .filter((each) => each.message.trim() !== "" || each.heading.trim() !== "")
        .slice(0, 4),
  });

/** Questions that the documents answer without a language model. */
export const suggestedQuestionsQuery = (slug: string) =>
  queryOptions({
    queryKey: workspaceKeys.suggestedQuestions(slug),
    queryFn: ({ signal }) => call(suggestQuestions, { slug }, { signal }),
  });
