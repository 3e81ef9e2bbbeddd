import { useQuery } from "@tanstack/react-query";
import {
  Download,
  KeyRound,
  Link2,
  MonitorSmartphone,
  ShieldCheck,
  SlidersHorizontal,
  UserRound,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { openAccount } from "../features/account/state/account-request.ts";
import "../features/account/texts.ts";
import { useThreadExport } from "../features/chat/state/thread-export.ts";
import { findThread, threadsQuery } from "../features/shell/api/workspaces.ts";
import type { PaletteProps } from "../features/shell/state/palette-groups.ts";
import type { PaletteItem } from "../features/shell/state/palette-item.ts";
import { useCurrentUser } from "../lib/current-user.ts";

const accountItems = [
  ["profile", "account:profile", "profile", UserRound],
  ["password", "account:password", "password", KeyRound],
  ["preferences", "account:preferences", "preferences", SlidersHorizontal],
  ["twoFactor", "account:factor.title", "security", ShieldCheck],
  ["sessions", "account:sessions.title", "security", MonitorSmartphone],
  ["links", "account:links", "links", Link2],
] as const;

/** The palette's actions on the user's account and the open thread. */
export function usePaletteActions({
  workspaceSlug,
  threadSlug,
}: Pick<PaletteProps, "workspaceSlug" | "threadSlug">): PaletteItem[] {
  const { t } = useTranslation(["shell", "account", "chat"]);
  const user = useCurrentUser();
  const threads = useQuery({
    ...threadsQuery(workspaceSlug ?? ""),
    enabled: workspaceSlug !== null,
  });
  const thread = findThread(threads.data?.threads, threadSlug);
  const title = thread?.name ?? t("shell:defaultThread");
  const saveAs = useThreadExport(workspaceSlug ?? "", threadSlug, title);
  const exports = [
    ["markdown", "chat:exportMarkdown"],
    ["json", "chat:exportJson"],
    ["html", "chat:exportHtml"],
  ] as const;
  return [
    ...(workspaceSlug === null
      ? []
      : exports.map(([type, label]): PaletteItem => ({
          id: `export-${type}`,
          label: t(label),
          hint: title,
          terms: t("shell:terms.export"),
          icon: Download,
          run: () => saveAs(type),
        }))),
    ...(user
      ? accountItems.map(([name, label, tab, icon]): PaletteItem => ({
          id: `account-${name}`,
          label: t(label),
          hint: t("account:title"),
          terms: t(`shell:terms.${name}`),
          icon,
          run: () => openAccount(tab),
        }))
      : []),
  ];
}
