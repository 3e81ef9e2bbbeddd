import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { foldersQuery } from "../api/library.ts";

/** Tabs for screens too narrow to show both lists. */
export function LibraryTabs({
  tab,
  total,
  onTab,
}: {
  tab: "library" | "workspace";
  total: number | null;
  onTab: (tab: "library" | "workspace") => void;
}) {
  const { t } = useTranslation("library");
  const all = useQuery(foldersQuery).data?.documents;
  return (
    <div className="hidden border-b border-subtle px-3 py-2 @max-[901px]/documents:flex *:flex-1 [&_button]:h-8 [&_button]:flex-1 [&_button]:text-center [&_button]:text-sm/8">
      <Segmented
        label={t("tabs")}
        value={tab}
        onChange={onTab}
        options={[
          {
            value: "library",
            label: all === undefined ? t("tabLibrary") : `${t("tabLibrary")}, ${formatNumber(all)}`,
          },
          { value: "workspace", label: t("tabWorkspace", { text: formatNumber(total ?? 0) }) },
        ]}
      />
    </div>
  );
}
