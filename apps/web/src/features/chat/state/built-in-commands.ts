import { Brain, FileDown, ListChecks, TextQuote, type LucideIcon } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { TurnView } from "./turn-view.ts";
import type { AnswerActions, ChatCallbacks } from "./use-answer-actions.ts";

/** A slash command that acts immediately instead of inserting text. */
export interface BuiltInCommand {
  /** Including its slash. */
  command: string;
  help: string;
  icon: LucideIcon;
  run: () => void;
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
}): BuiltInCommand[] {
  const { t } = useTranslation("chat");
  const cited = turns.findLast((turn) => turn.sources.length > 0);
  const isEmpty = turns.length === 0;
  return useMemo(
    () => [
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
    [cited, isEmpty, hasDocuments, actions, callbacks, send, t],
  );
}
