import type { McpServerConfig, McpServerWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import {
  FileUp,
  LogIn,
  Pencil,
  Plus,
  Power,
  RefreshCw,
  ScrollText,
  Trash2,
  Wrench,
} from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFaultText } from "../../../components/fault-text.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { addTexts } from "../../../lib/i18n.ts";
import { toast } from "../../../lib/toast.ts";
import mcp from "../../../locales/en/mcp.json";
import {
  mcpServersQuery,
  useDeleteMcpServer,
  useReloadMcpServers,
  useSignInToMcpServer,
  useToggleMcpServer,
} from "../api/mcp-servers.ts";
import { DataTable, rowButton, type Column } from "./data-table.tsx";
import { McpImportDialog, McpLogDialog } from "./mcp-dialogs.tsx";
import { McpServerDialog } from "./mcp-server-dialog.tsx";
import { McpToolsDialog } from "./mcp-tools-dialog.tsx";
import { EmptyList, ListPane, PhoneLabel, RowCount } from "./settings-page.tsx";

// Loaded with the page, not with the first one.
addTexts("mcp", mcp);

type Open = { dialog: "edit" | "tools" | "log" | "delete"; id: number };

/** Servers whose tools agents can call. */
export function McpServersPage({
  outcome,
}: {
  /** How a sign-in ended, if one led here. */
  outcome: { connected: string | null; problem: string | null };
}) {
  const { t } = useTranslation("mcp");
  const query = useQuery(mcpServersQuery);
  const toggle = useToggleMcpServer();
  const remove = useDeleteMcpServer();
  const reload = useReloadMcpServers();
  const signIn = useSignInToMcpServer();
  const [isAdding, setAdding] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const [open, setOpen] = useState<Open | null>(null);
  const { connected } = outcome;
  useEffect(() => {
    if (connected !== null) toast.success(t("connected", { name: connected }));
  }, [connected, t]);
  const columns = useColumns({
    openTools: (id) => setOpen({ dialog: "tools", id }),
    signIn: signIn.mutate,
  });
  const servers = query.data?.servers ?? [];
  const allowsCommands = query.data?.allowsCommands ?? true;
  const chosen = servers.find(({ id }) => id === open?.id);
  const close = (): void => setOpen(null);
  const buttons = (
    <>
      <Button onClick={() => setImporting(true)}>
        <FileUp className="size-3.5 stroke-2" aria-hidden="true" />
        {t("import")}
      </Button>
      <Button variant="primary" onClick={() => setAdding(true)}>
        <Plus className="size-3.5 stroke-2" aria-hidden="true" />
        {t("add")}
      </Button>
    </>
  );
  return (
    <ListPane
      label={t("list")}
      head={
        servers.length > 0 && (
          <>
            <RowCount>{t("count", { count: servers.length })}</RowCount>
            <span className="flex-1" />
            <Button
              variant="quiet"
              disabled={reload.isPending}
              onClick={() =>
                reload.mutate(undefined, { onSuccess: () => toast.success(t("reloaded")) })
              }
            >
              <RefreshCw className="size-3.5 stroke-2" aria-hidden="true" />
              {t("reload")}
            </Button>
            {buttons}
          </>
        )
      }
    >
      {outcome.problem !== null && (
        <Notice kind="bad" className="mx-6 mb-3 max-md:mx-4">
          <p>{outcome.problem}</p>
        </Notice>
      )}
      <DataTable
        label={t("list")}
        columns={columns}
        rows={servers}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        initialSort={{ column: "name", down: false }}
        query={query}
        menuOf={(server) => [
          {
            label: t("menu.tools"),
            icon: Wrench,
            run: () => setOpen({ dialog: "tools", id: server.id }),
          },
          {
            label: t("menu.edit"),
            icon: Pencil,
            run: () => setOpen({ dialog: "edit", id: server.id }),
          },
          {
            label: t("menu.log"),
            icon: ScrollText,
            run: () => setOpen({ dialog: "log", id: server.id }),
          },
          ...(server.signIn === "none"
            ? []
            : [
                {
                  label: t(server.signIn === "done" ? "menu.signInAgain" : "menu.signIn"),
                  icon: LogIn,
                  run: () => signIn.mutate(server.id),
                },
              ]),
          {
            label: t(server.enabled ? "menu.stop" : "menu.start"),
            icon: Power,
            run: () => toggle.mutate({ name: server.name, enabled: !server.enabled }),
          },
          {
            label: t("menu.delete"),
            icon: Trash2,
            danger: true,
            run: () => setOpen({ dialog: "delete", id: server.id }),
          },
        ]}
        empty={
          <EmptyList title={t("emptyTitle")} text={t("emptyText")}>
            <span className="flex flex-wrap justify-center gap-2">{buttons}</span>
          </EmptyList>
        }
      />
      {isAdding && (
        <McpServerDialog
          server={null}
          allowsCommands={allowsCommands}
          onClose={() => setAdding(false)}
        />
      )}
      {isImporting && <McpImportDialog onClose={() => setImporting(false)} />}
      {chosen && open?.dialog === "edit" && (
        <McpServerDialog server={chosen} allowsCommands={allowsCommands} onClose={close} />
      )}
      {chosen && open?.dialog === "tools" && <McpToolsDialog server={chosen} onClose={close} />}
      {chosen && open?.dialog === "log" && <McpLogDialog server={chosen} onClose={close} />}
      {chosen && open?.dialog === "delete" && (
        <ConfirmDialog
          open
          title={t("deleteTitle", { name: chosen.name })}
          text={t("deleteText")}
          action={t("menu.delete")}
          onClose={close}
          onConfirm={() =>
            remove.mutateAsync(chosen.name, { onSuccess: () => toast.success(t("deleted")) })
          }
        />
      )}
    </ListPane>
  );
}

/** Programs that run a package, and their options that take no value. */
const runner = /^(npx|pnpx|bunx|uvx)(\.cmd|\.exe)?$/;
const plainOptions = new Set(["-y", "--yes", "-q", "--quiet", "--silent"]);

/**
 * A server's program, with the package that it runs: many are called npx. The rest of a command may
 * hold a secret.
 */
function programOf({ command, args }: Extract<McpServerConfig, { kind: "command" }>): string {
  if (!runner.test(command)) return command;
  const ran = args.find((arg) => !plainOptions.has(arg));
  return ran === undefined || ran.startsWith("-") ? command : `${command} ${ran}`;
}

const tones = {
  idle: "neutral",
  connecting: "info",
  connected: "success",
  waiting: "warning",
  failed: "danger",
  stopped: "neutral",
} as const;

function Status({ server, onSignIn }: { server: McpServerWire; onSignIn: () => void }) {
  const { t } = useTranslation("mcp");
  const fault = useFaultText(server.fault, "");
  const isSignInDue = server.signIn === "required";
  const isShown =
    fault !== "" && !isSignInDue && server.state !== "stopped" && server.state !== "connected";
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-fg-3">
      <PhoneLabel>{t("columnState")}:</PhoneLabel>
      {isSignInDue ? (
        <Badge tone="warning">{t("signInDue")}</Badge>
      ) : (
        <Badge tone={tones[server.state]}>{t(`state.${server.state}`)}</Badge>
      )}
      {isSignInDue && (
        <Button size="sm" onClick={onSignIn}>
          {t("signIn")}
        </Button>
      )}
      {isShown && (
        <span className="line-clamp-6 min-w-0 wrap-anywhere" title={fault}>
          {fault}
        </span>
      )}
    </span>
  );
}

function useColumns({
  openTools,
  signIn,
}: {
  openTools: (id: number) => void;
  signIn: (id: number) => void;
}): Column<McpServerWire>[] {
  const { t } = useTranslation("mcp");
  return useMemo(
    () => [
      {
        id: "name",
        head: t("columnName"),
        width: "minmax(0, 1fr)",
        sortBy: ({ name }) => name,
        cell: ({ name, isPersonal, config }) => (
          <>
            <span className="flex items-center gap-2">
              <span className="truncate font-medium">{name}</span>
              {isPersonal && <Badge>{t("personal")}</Badge>}
            </span>
            <span className="block truncate font-mono text-xs text-fg-3" dir="ltr">
              {/* The rest of an address may hold a secret. */}
              {config?.kind === "address"
                ? new URL(config.url).origin
                : config && programOf(config)}
            </span>
          </>
        ),
      },
      {
        id: "tools",
        head: t("columnTools"),
        width: "150px",
        sortBy: ({ tools }) => tools.length,
        cell: ({ id, name, tools }) => {
          const due = tools.filter(({ state }) => state === "changed" || state === "new").length;
          const offered = tools.filter(({ state }) => state === "offered").length;
          return (
            <span className="flex flex-wrap items-center gap-2 text-xs tabular-nums">
              <PhoneLabel>{t("columnTools")}:</PhoneLabel>
              {tools.length === 0 ? (
                <span className="text-fg-3">{t("toolsNone")}</span>
              ) : (
                <button
                  type="button"
                  className={rowButton}
                  aria-label={t("toolCountOf", { name, offered, total: tools.length })}
                  onClick={() => openTools(id)}
                >
                  {t("toolCount", { offered, total: tools.length })}
                </button>
              )}
              {due > 0 && <Badge tone="warning">{t("review", { count: due })}</Badge>}
            </span>
          );
        },
      },
      {
        id: "state",
        head: t("columnState"),
        width: "minmax(0, 1fr)",
        sortBy: ({ state }) => state,
        cell: (server) => <Status server={server} onSignIn={() => signIn(server.id)} />,
      },
    ],
    [t, openTools, signIn],
  );
}
