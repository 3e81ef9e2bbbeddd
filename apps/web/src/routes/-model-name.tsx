import type { WorkspaceWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { providersQuery } from "../features/admin/api/providers.ts";
import { useRights } from "../lib/current-user.ts";

const look =
  "inline-flex h-7 max-w-[30ch] min-w-0 items-center gap-1 rounded-sm ps-2 pe-1.5 text-xs/5 font-medium text-fg-2 hover:bg-hover hover:text-fg-1 max-md:h-9 max-md:max-w-[14ch] max-md:group-has-[[data-stop]]/tools:group-has-[[type=submit]]/tools:hidden";

/**
 * The model that answers in a workspace. Links to the settings for admins; others see it only if
 * the workspace sets its own.
 */
export function ModelName({ workspace }: { workspace: WorkspaceWire }) {
  const { t } = useTranslation("chat");
  const { admin } = useRights();
  const providers = useQuery({ ...providersQuery, enabled: admin }).data;
  const current = providers?.providers.find(
    (provider) => provider.kind === "language" && provider.id === providers.language.provider,
  );
  const name =
    workspace.chatModel ??
    workspace.chatProvider ??
    (providers ? (providers.language.model ?? current?.name ?? providers.language.provider) : null);
  if (!name) return null;
  const label = <span className="truncate">{name}</span>;
  return admin ? (
    <Link to="/settings/llm-preference" className={look} title={t("modelHelp")}>
      {label}
    </Link>
  ) : (
    <span className={look} title={t("modelNamed")}>
      {label}
    </span>
  );
}
