import type { DocumentAccess } from "@carrel/contracts";
import { LockKeyhole, Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useRights } from "../../../lib/current-user.ts";

/** Kinds of sources that say who may see their items. */
const origins = ["confluence", "gitea", "github", "gitlab"] as const;

/** Who may see a document besides the reader; nothing on an instance without other people. */
export function DocumentReaders({
  access,
  isInLibrary,
}: {
  access: DocumentAccess;
  /** Opened in the library rather than in a workspace. */
  isInLibrary: boolean;
}) {
  const { multiUser } = useRights();
  const words = useReaders(access, isInLibrary);
  if (!multiUser) return null;
  const Icon = access.kind === "everyone" ? Users : LockKeyhole;
  return (
    <p className="flex items-start gap-1 text-xs text-fg-3">
      <Icon className="mt-[3px] size-3 flex-none stroke-2" aria-hidden="true" />
      {words}
    </p>
  );
}

function useReaders(access: DocumentAccess, isInLibrary: boolean): string {
  const { t } = useTranslation("versions");
  if (access.kind === "everyone") return t(isInLibrary ? "readers.all" : "readers.everyone");
  const { count } = access;
  const origin = origins.find((each) => each === access.from);
  if (origin === undefined) return count > 1 ? t("readers.people", { count }) : t("readers.you");
  const name = t(`origin.${origin}`);
  return count > 1 ? t("readers.peopleFrom", { count, name }) : t("readers.youFrom", { name });
}
