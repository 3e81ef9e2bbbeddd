import type { McpPromptWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Eraser, MessageSquareText, Settings2, SquareSlash, Workflow } from "lucide-react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { sharedFlowsQuery } from "../../../lib/shared-flows.ts";
import { mcpPromptsQuery } from "../api/mcp-prompts.ts";
import { presetsQuery, type Commands } from "../api/slash-commands.ts";
import { ComposerList, type ListEntry, type ListKeys } from "./composer-list.tsx";

/**
 * What matches the typed text: the built-in commands, the user's own, then prompts of MCP servers and
 * flows. Focus stays in the field.
 */
export default function SlashMenu({
  id,
  slug,
  typed,
  commands: { builtIn, runFlow },
  keysRef,
  onActive,
  onPick,
  onRun,
  onPrompt,
  onManage,
  onClose,
}: {
  id: string;
  slug: string;
  typed: string;
  commands: Commands;
  keysRef: RefObject<ListKeys | null>;
  onActive: (option: string | null) => void;
  onPick: (command: string, sends: boolean) => void;
  /** For what happens outside of the field. */
  onRun: (run: () => void) => void;
  onPrompt: (prompt: McpPromptWire) => void;
  /** `initial`: text that was typed and isn't a command yet. */
  onManage: (initial: string | null) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("chat");
  const presets = useQuery(presetsQuery).data ?? [];
  const prompts = useQuery(mcpPromptsQuery(slug)).data ?? [];
  const flows = useQuery(sharedFlowsQuery).data ?? [];
  const wanted = typed.slice(1).toLowerCase();
  const commands: ListEntry[] = [
    {
      id: "reset",
      icon: Eraser,
      label: "/reset",
      help: t("resetHelp"),
      run: () => onPick("/reset", true),
    },
    ...builtIn
      .filter(({ command }) => presets.every((preset) => preset.command !== command))
      .map((each) => ({
        id: each.command.slice(1),
        icon: each.icon,
        label: each.command,
        help: each.help,
        run: () => onRun(each.run),
      })),
    ...presets.map((preset) => ({
      id: `preset-${preset.id}`,
      icon: SquareSlash,
      label: preset.command,
      help: preset.description || preset.prompt,
      run: () => onPick(preset.command, false),
    })),
  ].filter((entry) => entry.label.slice(1).toLowerCase().includes(wanted));
  const entries: ListEntry[] = [
    ...commands.map((entry) => ({ ...entry, isCode: true })),
    ...prompts
      .map((prompt, index) => ({ prompt, index }))
      .filter(({ prompt: { server, name, title } }) =>
        `${name}\n${title ?? ""}\n${server}`.toLowerCase().includes(wanted),
      )
      .map(({ prompt, index }) => ({
        // Their names may contain what an element's id can't.
        id: `prompt-${prompt.serverId}-${index}`,
        icon: MessageSquareText,
        label: prompt.title ?? prompt.name,
        help: prompt.description,
        origin: prompt.server,
        run: () => onPrompt(prompt),
      })),
    ...flows
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .map((flow) => ({
        id: `flow-${flow.id}`,
        icon: Workflow,
        label: flow.name,
        help: flow.description,
        origin: t("flow"),
        run: () => onRun(() => runFlow(flow)),
      })),
  ];
  const all: ListEntry[] = [
    ...entries,
    {
      id: "manage",
      icon: Settings2,
      label: t("managePresets"),
      help: "",
      run: () => onManage(typed.length > 1 && entries.length === 0 ? typed : null),
    },
  ];
  return (
    <ComposerList
      id={id}
      label={t("commands")}
      entries={all}
      keysRef={keysRef}
      // Text that matches no command is an ordinary message: Enter sends it.
      picksOnEnter={entries.length > 0 || wanted === ""}
      onActive={onActive}
      onClose={onClose}
    />
  );
}
