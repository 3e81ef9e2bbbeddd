import { resolvePromptParts, type Out, type WorkspaceScope } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { HistoryTurn } from "../turn/turn.repository.ts";

/*
 * A user's slash commands and the `{key}` variables of system prompts. Each is replaced in a single
 * pass: replacements are not expanded again.
 */
/**
 * A standalone command: delimited by whitespace or the text's ends, optionally followed by
 * punctuation.
 */
const command = /(?<=^|\s)\/[\w-]+(?=$|\s|[.,;:!?]+(?:\s|$))/g;
const variable = /\{([A-Za-z0-9_.]+)\}/g;
/** Once a text would grow beyond this, its remaining commands and variables are left unexpanded. */
const longestText = 300_000;

/** Whether the values of commands and variables have to be fetched. */
export const mayHavePlaceholders = (message: string, systemPrompt: string): boolean =>
  message.search(command) >= 0 || systemPrompt.search(variable) >= 0;

/** The commands that a message may contain, in lower case. */
const listCommands = (message: string): string[] => [
  ...new Set((message.match(command) ?? []).map((found) => found.toLowerCase())),
];

/** Returns the message as model and search receive it. */
export function expandPresets(
  message: string,
  presets: readonly { command: string; prompt: string }[],
): string {
  const prompts = new Map(presets.map((preset) => [preset.command.toLowerCase(), preset.prompt]));
  return replaceBounded(message, command, (found) => prompts.get(found.toLowerCase()));
}

/** Unknown keys are left unchanged. */
export function fillVariables(
  systemPrompt: string,
  variables: Readonly<Record<string, string>>,
): string {
  return replaceBounded(systemPrompt, variable, (found) => {
    const key = found.slice(1, -1);
    return Object.hasOwn(variables, key) ? variables[key] : undefined;
  });
}

function replaceBounded(
  text: string,
  pattern: RegExp,
  find: (found: string) => string | undefined,
): string {
  let room = Math.max(longestText, text.length) - text.length;
  return text.replace(pattern, (found) => {
    const instead = find(found);
    if (instead === undefined || instead.length - found.length > room) return found;
    room -= instead.length - found.length;
    return instead;
  });
}

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
