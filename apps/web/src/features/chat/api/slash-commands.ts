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
import { Brain, FileDown, ListChecks, TextQuote, type LucideIcon } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { workspaceKeys } from "../../../lib/query-keys.ts";
import type { SharedFlow } from "../../../lib/shared-flows.ts";
import { toast } from "../../../lib/toast.ts";
import type { TurnView } from "../state/turn-view.ts";
import type { AnswerActions, ChatCallbacks } from "../state/use-answer-actions.ts";

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

/** A slash command that acts immediately instead of inserting text. */
export interface BuiltInCommand {
  /** Including its slash. */
  command: string;
  help: string;
  icon: LucideIcon;
  run: () => void;
}

export interface Commands {
  builtIn: BuiltInCommand[];
  /** Asks for the flow's variables, and starts it. */
  runFlow: (flow: SharedFlow) => void;
}

/**
 * The commands that make sense in this conversation. A user's own command of the same name wins.
 */
export function useBuiltInCommands({
  turns,
  hasDocuments,
  actions,
  callbacks,
  send,
}: {
  turns: TurnView[];
  hasDocuments: boolean;
  actions: AnswerActions;
  callbacks: ChatCallbacks;
  send: (message: string) => void;
}): Commands {
  const { t } = useTranslation("chat");
  const cited = turns.findLast((turn) => turn.sources.length > 0);
  const isEmpty = turns.length === 0;
  return useMemo(
    () => ({
      runFlow: callbacks.onRunFlow,
      builtIn: [
        ...(hasDocuments
          ? [
              {
                command: "/summarize",
                help: t("summarizeHelp"),
                icon: ListChecks,
                run: () => send(t("ideaSummaryMessage")),
              },
            ]
          : []),
        ...(cited
          ? [
              {
                command: "/sources",
                help: t("sourcesHelp"),
                icon: TextQuote,
                run: () => actions.onOpenSource(cited, 1, "passages", null),
              },
            ]
          : []),
        ...(isEmpty
          ? []
          : [
              {
                command: "/export",
                help: t("exportMarkdown"),
                icon: FileDown,
                run: callbacks.onExport,
              },
            ]),
        ...(callbacks.onChooseModel
          ? [
              {
                command: "/model",
                help: t("modelChoose"),
                icon: Brain,
                run: callbacks.onChooseModel,
              },
            ]
          : []),
      ],
    }),
    [cited, isEmpty, hasDocuments, actions, callbacks, send, t],
  );
}
