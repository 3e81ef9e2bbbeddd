import { getMcpPrompt, listMcpPrompts, type McpPromptWire, type Out } from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { joinNames } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";

const mcpPromptKeys = { list: (slug: string) => ["mcp-prompts", slug] } as const;

/** Prompts of the MCP servers that the user can use. */
export const mcpPromptsQuery = (slug: string) =>
  queryOptions({
    queryKey: mcpPromptKeys.list(slug),
    queryFn: ({ signal }) => call(listMcpPrompts, { slug }, { signal }),
    select: (reply) => reply.prompts,
  });

/** A prompt's text; a toast names what isn't in it. A form shows its failure itself. */
export const useMcpPrompt = (slug: string, { isForm }: { isForm: boolean }) =>
  useMutation({
    mutationFn: ({
      prompt: { serverId, name },
      values,
    }: {
      prompt: McpPromptWire;
      values: Record<string, string>;
    }) => call(getMcpPrompt, { slug, serverId, name, arguments: values }),
    onSuccess: ({ leftOut }: Out<typeof getMcpPrompt>) => {
      if (leftOut.length > 0)
        toast.info(
          i18next.t("chat:promptLeftOut", { count: leftOut.length, parts: joinNames(leftOut) }),
        );
    },
    ...(isForm && { meta: { errorToast: false } }),
  });
