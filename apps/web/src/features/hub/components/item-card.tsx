import type { HubCard } from "@carrel/contracts";
import { Link } from "@tanstack/react-router";
import { BadgeCheck, Lock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";

const shownTags = 3;

/** Marks of an item: who checked it, and who may see it. */
export function ItemMarks({ item }: { item: Pick<HubCard, "verified" | "visibility"> }) {
  const { t } = useTranslation("hub");
  return (
    <>
      {item.verified && (
        <Badge tone="success" title={t("verifiedHelp")}>
          <BadgeCheck className="size-3 stroke-2" aria-hidden="true" />
          {t("verified")}
        </Badge>
      )}
      {item.visibility === "private" && (
        <Badge>
          <Lock className="size-3 stroke-2" aria-hidden="true" />
          {t("private")}
        </Badge>
      )}
    </>
  );
}

/** An item in a list; opens what importing it would do. */
export function ItemCard({ item }: { item: HubCard }) {
  const { t } = useTranslation("hub");
  const { name, description, tags, creatorUsername, importId, command } = item;
  const text = description || item.prompt || t("noDescription");
  return (
    <li className="relative grid min-w-0 content-start gap-1.5 rounded-md border border-line p-4 hover:border-strong hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-focus">
      <h3 className="min-w-0 font-semibold wrap-anywhere" dir="auto">
        <Link
          className="outline-none before:absolute before:inset-0 before:rounded-md"
          to="/settings/community-hub/import-item"
          search={{ id: importId }}
        >
          {name}
        </Link>
      </h3>
      {command !== undefined && (
        <p className="truncate font-mono text-xs text-fg-2" dir="ltr">
          {command}
        </p>
      )}
      <p className="line-clamp-3 min-h-0 text-fg-2 wrap-anywhere" dir="auto">
        {text}
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-1.5 text-xs text-fg-3">
        <ItemMarks item={item} />
        {tags.slice(0, shownTags).map((tag) => (
          <Badge key={tag}>
            <span className="max-w-32 truncate">{tag}</span>
          </Badge>
        ))}
        {creatorUsername && <span className="truncate">{t("by", { name: creatorUsername })}</span>}
      </p>
    </li>
  );
}

export const cardGrid = "grid grid-cols-[repeat(auto-fill,minmax(min(260px,100%),1fr))] gap-3";
