import { Injectable } from "@nestjs/common";
import { resolvePromptParts, type Out, type WorkspaceScope } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import type { HistoryTurn } from "../turn/turn.repository.ts";
import { expandPresets, fillVariables, listCommands, mayHavePlaceholders } from "./prompt-parts.ts";

interface UnresolvedPrompt {
  scope: WorkspaceScope;
  question: string;
  /** Whether slash commands are expanded. */
  hasCommands: boolean;
  systemPrompt: string;
  history: Promise<HistoryTurn[]>;
  /** Reported by the client, for dates in variables. */
  timeZone: string | null;
  locale: string | null;
}
type ResolvedPrompt = Pick<UnresolvedPrompt, "question" | "systemPrompt" | "history">;

/** Expands slash commands and variables; fetches them only if there may be some. */
@Injectable()
export class PromptPartResolver {
  constructor(private readonly requests: RequestClient) {}

  /**
   * Turns keep what the user typed (wire-contract 4.5), so commands in earlier questions are
   * expanded for each prompt, with their current presets.
   */
  async resolve({
    scope,
    question,
    hasCommands,
    systemPrompt,
    history,
    timeZone,
    locale,
  }: UnresolvedPrompt): Promise<ResolvedPrompt> {
    // A key gets only the commands it names, because it may use everyone's.
    const isKey = scope.principal.kind === "key";
    const fetchParts = (texts: readonly string[]): Promise<Out<typeof resolvePromptParts>> =>
      this.requests.request(
        resolvePromptParts,
        {
          timeZone,
          locale,
          ...(isKey && { commands: listCommands(texts.join("\n")).slice(0, 1_000) }),
        },
        { scope },
      );
    const parts = mayHavePlaceholders(hasCommands ? question : "", systemPrompt)
      ? await fetchParts([question])
      : null;
    const expanded = history.then(async (turns) => {
      if (!hasCommands || !turns.some((turn) => mayHavePlaceholders(turn.question, "")))
        return turns;
      const { presets } =
        parts === null || isKey ? await fetchParts(turns.map((turn) => turn.question)) : parts;
      return turns.map((turn) => ({ ...turn, question: expandPresets(turn.question, presets) }));
    });
    // Awaited later, by the caller.
    expanded.catch(() => undefined);
    if (parts === null) return { question, systemPrompt, history: expanded };
    return {
      question: hasCommands ? expandPresets(question, parts.presets) : question,
      systemPrompt: fillVariables(systemPrompt, parts.variables),
      history: expanded,
    };
  }
}
