import type { McpServerWire, McpToolWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { ApprovalRule } from "../../../components/approval-rule.tsx";
import { useFaultText } from "../../../components/fault-text.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Switch } from "../../../components/ui/choices.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Field, FieldLabel, Textarea } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SearchField } from "../../../components/ui/text-field.tsx";
import { preferencesQuery } from "../../../lib/agent-preferences.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useApproveMcpTools, useCallMcpTool, useToggleMcpTool } from "../api/mcp-servers.ts";

/** With more tools than this, they are searched. */
const searchFrom = 8;
/** More rows at once would be slow; the search finds the others. */
const shownAtOnce = 100;

const isDue = ({ state }: McpToolWire): boolean => state === "changed" || state === "new";

/** What an approval names: the tool as it is shown. */
const readAs = ({ name, hash }: McpToolWire) => ({ name, hash });

/** A server's tools: what agents are offered, what changed, and a test call. */
export function McpToolsDialog({
  server,
  onClose,
}: {
  server: McpServerWire;
  onClose: () => void;
}) {
  const { t } = useTranslation("mcp");
  const [text, setText] = useState("");
  const approve = useApproveMcpTools();
  const { data: preferences } = useQuery(preferencesQuery);
  const words = text.trim().toLowerCase();
  const due = server.tools.filter(isDue);
  const found = server.tools
    .filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(words))
    .toSorted((one, other) => Number(isDue(other)) - Number(isDue(one)));
  return (
    <Dialog
      open
      onClose={onClose}
      className="w-[min(720px,100vw-24px)]"
      title={t("toolsTitle", { name: server.name })}
      description={t("toolsText")}
    >
      {preferences !== undefined && (
        <ApprovalRule skill={`mcp:${server.name}`} name={server.name} preferences={preferences} />
      )}
      {server.tools.length >= searchFrom && (
        <SearchField
          label={t("searchTools")}
          className="h-9"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {found.length === 0 ? (
        <p className="py-4 text-center text-fg-3">
          {t(server.tools.length === 0 ? "noTools" : "noMatch")}
        </p>
      ) : (
        <ul className="rounded-md border border-line">
          {found.slice(0, shownAtOnce).map((tool) => (
            <ToolRow key={tool.name} server={server} tool={tool} />
          ))}
        </ul>
      )}
      {found.length > shownAtOnce && (
        <p className="text-fg-3">
          {t("firstTools", {
            shown: formatNumber(shownAtOnce),
            total: formatNumber(found.length),
          })}
        </p>
      )}
      <DialogFooter>
        {due.length > 1 && (
          <Button
            className="me-auto max-md:me-0"
            disabled={approve.isPending}
            onClick={() => approve.mutate({ id: server.id, tools: due.map(readAs) })}
          >
            {t("approveAll")}
          </Button>
        )}
        <Button variant="primary" onClick={onClose}>
          {t("close")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function ToolRow({ server, tool }: { server: McpServerWire; tool: McpToolWire }) {
  const { t } = useTranslation("mcp");
  const [isOpen, setOpen] = useState(false);
  const toggle = useToggleMcpTool();
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className="border-t border-line first:border-t-0">
      <div className="flex items-center gap-3 pe-4">
        <button
          type="button"
          className="flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-md px-3 py-2 text-start hover:bg-hover"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Arrow
            className="size-3.5 flex-none stroke-2 text-fg-3 rtl:-scale-x-100"
            aria-hidden="true"
          />
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-center gap-x-2">
              <span className="min-w-0 truncate font-medium">{tool.title ?? tool.name}</span>
              {(tool.state === "changed" || tool.state === "new") && (
                <Badge tone="warning">{t(`toolState.${tool.state}`)}</Badge>
              )}
              {tool.isReadOnly && <Badge>{t("readOnly")}</Badge>}
            </span>
            {/* Open, it is shown whole below. */}
            {!isOpen && (
              <span className="block truncate text-xs text-fg-3">{tool.description}</span>
            )}
          </span>
        </button>
        {!isDue(tool) && (
          <Switch
            checked={tool.state === "offered"}
            disabled={toggle.isPending}
            aria-label={t("offer", { name: tool.name })}
            onChange={(enabled) =>
              toggle.mutate({
                serverName: server.name,
                toolName: tool.name,
                enabled,
                hash: tool.hash,
              })
            }
          />
        )}
      </div>
      {isOpen && <ToolDetails server={server} tool={tool} />}
    </li>
  );
}

function ToolDetails({ server, tool }: { server: McpServerWire; tool: McpToolWire }) {
  const { t } = useTranslation("mcp");
  const approve = useApproveMcpTools();
  return (
    <div className="grid grid-cols-1 gap-3 px-3 pb-3">
      {tool.state === "changed" && tool.approvedDescription !== null && (
        <Text label={t("approved")} text={tool.approvedDescription} />
      )}
      {tool.description !== "" && (
        <Text label={t(tool.state === "changed" ? "now" : "description")} text={tool.description} />
      )}
      <p className="text-xs text-fg-3">{t("callName", { name: tool.callName })}</p>
      {tool.isSchemaReplaced && (
        <Notice kind="warn">
          <p>{t("schemaReplaced")}</p>
        </Notice>
      )}
      {isDue(tool) && (
        <Button
          size="sm"
          className="justify-self-start"
          disabled={approve.isPending}
          onClick={() => approve.mutate({ id: server.id, tools: [readAs(tool)] })}
        >
          {t("approve")}
        </Button>
      )}
      <TestCall server={server} tool={tool} />
    </div>
  );
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <figure className="grid grid-cols-1 gap-1">
      <figcaption className="text-xs font-medium">{label}</figcaption>
      <pre
        className="max-h-48 overflow-auto rounded-sm bg-sunken p-2 font-mono text-xs whitespace-pre-wrap"
        dir="auto"
        tabIndex={0}
      >
        {text}
      </pre>
    </figure>
  );
}

/** An input with the tool's fields, to fill in. */
function exampleInput({ inputSchema }: McpToolWire): string {
  const { properties, required } = inputSchema as {
    properties?: Record<string, { type?: unknown; default?: unknown }>;
    required?: unknown;
  };
  const needed = Array.isArray(required) ? (required as string[]) : [];
  const empty: Record<string, unknown> = { string: "", number: 0, integer: 0, boolean: false };
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(properties ?? {})
        .filter(([name]) => needed.includes(name))
        .map(([name, { type, default: fallback }]) => [
          name,
          fallback ?? empty[String(type)] ?? null,
        ]),
    ),
    null,
    2,
  );
}

function readInput(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function TestCall({ server, tool }: { server: McpServerWire; tool: McpToolWire }) {
  const { t } = useTranslation("mcp");
  const id = useId();
  const [text, setText] = useState(() => exampleInput(tool));
  const [isInvalid, setInvalid] = useState(false);
  const test = useCallMcpTool();
  const fault = useFaultText(test.data?.fault ?? null, "");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const input = readInput(text);
    setInvalid(input === null);
    if (input !== null && !test.isPending) test.mutate({ id: server.id, tool: tool.name, input });
  };
  const problem = isInvalid ? t("inputInvalid") : (test.error?.message ?? fault);
  return (
    <form className="grid grid-cols-1 gap-2" onSubmit={submit}>
      <Field>
        <FieldLabel htmlFor={id}>{t("input")}</FieldLabel>
        <Textarea
          id={id}
          className="font-mono text-xs"
          dir="ltr"
          rows={4}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button type="submit" size="sm" className="justify-self-start" disabled={test.isPending}>
        {t(test.isPending ? "calling" : "call")}
      </Button>
      {problem !== "" && (
        <Notice kind="bad">
          <p>{problem}</p>
        </Notice>
      )}
      {test.data?.fault === null && (
        <Text
          label={t("took", { milliseconds: formatNumber(test.data.milliseconds) })}
          text={test.data.text || t("emptyResult")}
        />
      )}
    </form>
  );
}
